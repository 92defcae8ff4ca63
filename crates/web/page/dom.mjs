// Elements.

/**
 * The element of an id.
 * @param {string} id
 * @returns {any}
 */
export const byId = (id) => document.getElementById(id);

/**
 * Makes an element.
 * @param {string} tag
 * @param {Record<string, any>} [properties] those with a dash are attributes
 * @param {...(Node | string)} children
 * @returns {any}
 */
export function element(tag, properties = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
        if (name.includes("-") || name === "role") made.setAttribute(name, value);
        else made[name] = value;
    }
    made.append(...children);
    return made;
}

/**
 * A button that copies a text.
 * @param {string} text
 * @param {string} what what is copied, for who hears it
 * @param {string} words what the button says
 */
export function copyButton(text, what, words = "Copy") {
    const button = element("button", { type: "button", className: "copy", textContent: words, "aria-label": `Copy ${what}` });
    button.addEventListener("click", async () => {
        await copy(text);
        button.textContent = "Copied";
        say(`${what} copied`);
        setTimeout(() => (button.textContent = words), 1500);
    });
    return button;
}

/** @param {string} text */
async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        // Without the permission, or from a folder in some browsers: the way that all of them have.
        const area = element("textarea", { value: text });
        document.body.append(area);
        area.select();
        document.execCommand("copy");
        area.remove();
    }
}

/**
 * Tells it to screen readers.
 * @param {string} words
 */
export function say(words) {
    byId("said").textContent = words;
}

/** @param {number} number */
export const count = (number) => number.toLocaleString("en");
