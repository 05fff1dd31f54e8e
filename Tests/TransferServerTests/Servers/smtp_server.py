"""A mail server that does what the recipient's name says. Prints its port first.

smtp_server.py [GREETING [print]]
    drop@…     takes the message and closes the connection without a word
    number@…   refuses the recipient with that reply: 450@…, 550@…, 550.5.2.2@…
    data-number@…   the same after the message
    550.relay@…     is refused without an enhanced status
A sender number@… is refused likewise.
    hang@…     says nothing any more after the message
    hanging-number@…   is taken once so many messages hang
With print, each message that it takes follows, as JSON: {to,text}. Offers no STARTTLS.
"""
import json
import signal
import socketserver
import sys
import threading
import time
from email import policy
from email.parser import BytesParser

signal.alarm(120)  # Even if the tests are killed.
greeting = sys.argv[1] if len(sys.argv) > 1 else "220 hello"
prints = sys.argv[2:] == ["print"]
hanging = threading.Semaphore(0)


class Handler(socketserver.StreamRequestHandler):
    def say(self, line):
        self.wfile.write(line.encode() + b"\r\n")

    def handle(self):
        self.say(greeting)
        recipient = ""
        while line := self.rfile.readline():
            word = line.split()[0].upper() if line.split() else b""
            if word == b"EHLO":
                self.say("250-hello")
                self.say("250 SIZE 1000000")
            elif word == b"MAIL":
                sender = line.decode().partition("<")[2].partition("@")[0]
                self.say(sender.replace(".", " ", 1) + " no" if sender[:3].isdigit() else "250 yes")
            elif word == b"RCPT":
                recipient = line.decode().partition("<")[2].partition("@")[0]
                refused = recipient[:3].isdigit()
                self.say(recipient.replace(".", " ", 1) + " no" if refused else "250 yes")
            elif word == b"DATA":
                self.say("354 go on")
                lines = []
                while (text := self.rfile.readline()) not in (b".\r\n", b""):
                    lines.append(text)
                if prints:
                    mail = BytesParser(policy=policy.default).parsebytes(b"".join(lines))
                    text = {"to": mail["To"].addresses[0].addr_spec, "text": mail.get_content()}
                    print(json.dumps(text), flush=True)
                if recipient == "drop":
                    return
                if recipient == "hang":
                    hanging.release()
                    time.sleep(60)
                for _ in range(int(recipient.partition("hanging-")[2] or 0)):
                    hanging.acquire()
                reply = recipient.partition("data-")[2].replace(".", " ", 1)
                self.say(reply + " no" if reply else "250 taken")
            elif word == b"QUIT":
                self.say("221 bye")
                return
            else:
                self.say("250 yes")


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def handle_error(self, *arguments):
        pass  # The client has gone.


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
