"""A malicious or broken directory. The argument selects how; the first line printed is its port."""
import socket
import sys
import threading
import time

how = sys.argv[1]
# The messages of RFC 4511: a bind's answer with the code 0, and one that refers elsewhere (10).
BOUND = bytes.fromhex("300c02010161070a010004000400")
ELSEWHERE = bytes.fromhex("302a02010161250a010a04000400a31c041a") + b"ldap://127.0.0.1:1/dc=else"


def serve(connection):
    if how == "silent":
        time.sleep(600)
    if how == "closes":
        return connection.close()
    connection.recv(4096)
    if how == "half":
        connection.sendall(BOUND[:4])
    elif how == "drips":
        for byte in b"\x30\x84\x00\x00\x40\x00\x02\x01\x01" + b"\x61" * 4096:
            connection.sendall(bytes([byte]))
            time.sleep(0.05)
    elif how == "floods":
        connection.sendall(b"\x30\x84\x7f\xff\xff\xff\x02\x01\x01\x61\x84\x7f\xff\xff\xf0")
        while True:
            connection.sendall(b"x" * 65536)
    elif how == "garbage":
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 9)
    elif how == "refers":
        connection.sendall(ELSEWHERE)
    time.sleep(600)


def run(connection):
    try:
        serve(connection)
    except OSError:
        pass


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(20)
print(listener.getsockname()[1], flush=True)
while True:
    taken, _ = listener.accept()
    threading.Thread(target=run, args=(taken,), daemon=True).start()
