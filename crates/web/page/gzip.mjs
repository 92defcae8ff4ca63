// Files of gzip that have several members one after the other, as `cat`, bgzip and pigz make them; browsers unpack one.

/** Bytes of a header without names, and of what stands at the end of a member. */
const [HEADER, TRAILER] = [10, 8];

/** Whether a member can begin here: what compressed data look like by chance once in 10^11 bytes, which is an error then, not a loss. */
function begins(bytes, at) {
    if (bytes[at] !== 0x1f || bytes[at + 1] !== 0x8b || bytes[at + 2] !== 8 || bytes[at + 3] > 31) return false;
    const [extra, system] = [bytes[at + 8], bytes[at + 9]];
    return [0, 2, 4].includes(extra) && (system <= 13 || system === 255);
}

/**
 * The text of all members.
 * @param {ReadableStream<Uint8Array>} stream
 * @returns {ReadableStream<Uint8Array>}
 */
export function unpackGzip(stream) {
    const { readable, writable } = new TransformStream();
    const reader = stream.getReader(); // not every browser walks through a stream by itself
    passMembers(reader, writable).catch((error) => {
        reader.cancel(error).catch(() => {});
        return writable.abort(error);
    });
    return readable;
}

async function passMembers(reader, writable) {
    let member = null;
    const start = () => {
        const { readable, writable: packed } = new DecompressionStream("gzip");
        member = { writer: packed.getWriter(), done: readable.pipeTo(writable, { preventClose: true, preventAbort: true }) };
        member.done.catch(() => {}); // thrown where it is waited for
    };
    const write = async (bytes) => {
        if (bytes.length > 0) await Promise.race([member.writer.write(bytes), member.done.then(() => {})]);
    };
    const end = async () => {
        await Promise.all([member.writer.close(), member.done]);
    };
    let [kept, read] = [new Uint8Array(0), 0];
    start();
    for (;;) {
        const { value: piece, done } = await reader.read();
        if (done) break;
        const bytes = new Uint8Array(kept.length + piece.length);
        bytes.set(kept);
        bytes.set(piece, kept.length);
        let from = 0;
        for (let at = bytes.indexOf(0x1f); at >= 0 && at + HEADER <= bytes.length; at = bytes.indexOf(0x1f, at + 1)) {
            if (read + at < HEADER + TRAILER || !begins(bytes, at)) continue;
            await write(bytes.subarray(from, at));
            await end();
            start();
            from = at;
        }
        // What may be the beginning of a header stays for the next piece.
        const whole = Math.max(from, bytes.length - HEADER + 1);
        await write(bytes.subarray(from, whole));
        read += whole;
        kept = bytes.slice(whole);
    }
    await write(kept);
    await end();
    await writable.close();
}
