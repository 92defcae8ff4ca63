"""Databases for servers.py: servers that can be killed and restarted, replicas, and clients.

The classes of databases have the same methods. `place` is what the program takes as the database.
"""
import glob
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time


class ConnectionLost(Exception):
    """The connection ended."""


def as_user(name):
    """The command that runs another one as this user, since servers refuse to run as root."""
    if os.getuid() != 0:
        return []
    return ["setpriv", f"--reuid={name}", f"--regid={name}", "--clear-groups"]


def folder_of(user, work):
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"{user}-", dir=work))
    if os.getuid() == 0:
        shutil.chown(folder, user, user)
    return folder


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Client:
    """A session of a command-line client. Statements are answered one by one, so it is known which of them were committed."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def run(self, sql):
        """Runs statements. Returns their rows."""
        try:
            self.process.stdin.write(f"{sql};\nSELECT 'done';\n")
            self.process.stdin.flush()
        except OSError as error:
            raise ConnectionLost from error
        rows = []
        for line in self.process.stdout:
            line = line.rstrip("\n")
            if line == "done":
                return rows
            rows.append(line.split("\t"))
        raise ConnectionLost

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


class Postgres:
    name = "postgres"

    def __init__(self, work, primary=None):
        self.bin = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
        self.data, self.port, self.server = folder_of("postgres", work) / "data", free_port(), None
        self.primary = f"host=127.0.0.1 port={primary.port} user=postgres" if primary else ""
        make = ["initdb", "-D", self.data, "-U", "postgres", "-A", "trust"]
        if primary:
            make = ["pg_basebackup", "-D", self.data, "-d", self.primary, "-R", "-c", "fast"]
        subprocess.run([*as_user("postgres"), f"{self.bin}/{make[0]}", *make[1:]], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.place = f"postgres://postgres@127.0.0.1:{self.port}/postgres"
        self.start()

    def start(self):
        options = ["-k", self.data, "-p", str(self.port), "-c", "listen_addresses=127.0.0.1"]
        log = self.data.parent / "log"
        for _ in range(600):
            # The remains of a killed server may keep the next one from starting.
            if self.server is None or self.server.poll() is not None:
                with open(log, "ab") as words:
                    self.server = subprocess.Popen([*as_user("postgres"), f"{self.bin}/postgres", "-D", self.data, *options], stderr=words)
            ready = [f"{self.bin}/pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]
            if subprocess.run(ready).returncode == 0:
                return
            time.sleep(0.1)
        sys.exit(log.read_text())

    def kill(self):
        main = self.server.pid
        # The stopped server cannot end its processes in an orderly way before they are killed, too.
        os.kill(main, signal.SIGSTOP)
        others = pathlib.Path(f"/proc/{main}/task/{main}/children").read_text().split()
        for pid in [main, *map(int, others)]:
            os.kill(pid, signal.SIGKILL)
        self.server.wait()

    def stop(self):
        self.kill()

    def client(self):
        return Client([f"{self.bin}/psql", "-XqAt", "-F", "\t", "-v", "ON_ERROR_STOP=1", self.place])

    def cut(self):
        """Ends the connections of gridmill."""
        client = self.client()
        client.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'gridmill'")
        client.end()

    def replica(self, work):
        """Starts a server that replicates this one."""
        return Postgres(work, self)

    def receive(self, client, is_on):
        """Makes a replica receive changes, or stop receiving them."""
        client.run(f"ALTER SYSTEM SET primary_conninfo = '{self.primary if is_on else ''}'")
        client.run("SELECT pg_reload_conf()")
        wait_for(lambda: client.run("SELECT count(*) FROM pg_stat_wal_receiver") == [[str(int(is_on))]])

    def apply(self, client, is_on):
        """Makes a replica apply the changes that it receives, or pause."""
        client.run(f"SELECT pg_wal_replay_{'resume' if is_on else 'pause'}()")

    def lose_the_last(self, client, is_on):
        """Sets whether a killed server may lose what it has just committed."""
        client.run(f"ALTER DATABASE postgres SET synchronous_commit = {'off' if is_on else 'on'}")


class Mysql:
    name = "mysql"
    # For quick restarts, and with a binary log for replicas.
    more = ["--innodb-buffer-pool-size=64M", "--innodb-log-file-size=16M", "--log-bin=changes"]

    def __init__(self, work, number=1):
        self.data, self.port, self.server = folder_of("mysql", work) / "data", free_port(), None
        self.number = number
        self.data.mkdir()
        if os.getuid() == 0:
            shutil.chown(self.data, "mysql", "mysql")
        install = ["mariadb-install-db", "--no-defaults", "--user=mysql", f"--datadir={self.data}", "--auth-root-authentication-method=normal"]
        subprocess.run(install, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.place = f"mysql://root@127.0.0.1:{self.port}/test"
        self.start()

    def start(self):
        command = ["mariadbd", "--no-defaults", "--user=mysql", f"--datadir={self.data}", f"--socket={self.data}/sock", f"--port={self.port}"]
        with open(self.data.parent / "log", "ab") as log:
            self.server = subprocess.Popen([*command, "--bind-address=127.0.0.1", f"--server-id={self.number}", *self.more], stderr=log)
        ping = ["mariadb-admin", "--no-defaults", "-u", "root", "-S", self.data / "sock", "ping"]
        for _ in range(600):
            if subprocess.run(ping, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0:
                return
            time.sleep(0.2)
        sys.exit((self.data.parent / "log").read_text())

    def kill(self):
        self.server.kill()
        self.server.wait()

    def stop(self):
        self.kill()

    def client(self):
        return Client(["mariadb", "--no-defaults", "-N", "-n", "-r", "-u", "root", "-S", self.data / "sock", "test"])

    def cut(self):
        client = self.client()
        for [pid] in client.run("SELECT id FROM information_schema.processlist WHERE db = 'test' AND id <> CONNECTION_ID()"):
            try:
                client.run(f"KILL {pid}")
            except ConnectionLost:
                # The session has already ended. The client ends at any error.
                client = self.client()
        client.end()

    def replica(self, work):
        replica = Mysql(work, self.number + 1)
        near, far = self.client(), replica.client()
        # The binary log may contain transactions that the server lost when it was killed, and a replica cannot repeat them.
        near.run("RESET MASTER")
        far.run(f"CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = {self.port}, MASTER_USER = 'root', MASTER_USE_GTID = slave_pos")
        far.run("START SLAVE")
        near.end()
        far.end()
        return replica

    def receive(self, client, is_on):
        client.run(f"{'START' if is_on else 'STOP'} SLAVE SQL_THREAD")

    def apply(self, client, is_on):
        client.run("UNLOCK TABLES" if is_on else "LOCK TABLES boards READ")

    def lose_the_last(self, client, is_on):
        client.run(f"SET GLOBAL innodb_flush_log_at_trx_commit = {0 if is_on else 1}")


class Sqlite:
    name = "sqlite"

    def __init__(self, work):
        self.place = str(work / "site.db")

    def client(self):
        return SqliteClient(self.place)

    def stop(self):
        pass

    def lose_the_last(self, client, is_on):
        pass


class SqliteClient:
    def __init__(self, path):
        self.connection = sqlite3.connect(path, timeout=120, isolation_level=None)

    def run(self, sql):
        rows = []
        for one in sql.split(";\n"):
            rows += self.connection.execute(one).fetchall()
        return [["" if value is None else str(value) for value in row] for row in rows]

    def end(self):
        self.connection.close()


def wait_for(condition, patience=600):
    begun = time.monotonic()
    while not condition():
        if time.monotonic() - begun > patience:
            sys.exit("a condition did not become true in time")
        time.sleep(0.05)
