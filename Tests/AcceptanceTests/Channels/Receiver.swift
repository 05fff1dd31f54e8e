import TestSupport
import Testing

/// A server that accepts anything posted to it: the target of a webhook or a browser's subscription.
///
/// How it answers is in the path: `/gone` and `/missing` with 410 and 404, `/big` with 10 MB, `/hang`
/// never, `/to/PORT` with a redirect to that port of this machine, every other with 201.
struct Receiver: Sendable {
    private let program: RunningProgram
    let port: Int

    var url: String { "http://127.0.0.1:\(port)/hook" }

    /// An address with this path, for a receiver with a certificate.
    func secureURL(_ path: String) -> String { "https://127.0.0.1:\(port)/\(path)" }

    /// `{path,headers,raw,body?}`, in the order in which they arrived; `raw` is the body in base64,
    /// and `body` the body as JSON.
    var messages: [JSON] { program.lines.dropFirst().map { JSON(parsing: $0) } }

    /// - Parameters:
    ///   - port: 0 for one that is free.
    ///   - identity: a certificate and its key, for TLS.
    static func start(
        at port: Int = 0, as identity: (certificate: String, key: String)? = nil
    ) async throws -> Receiver {
        let files = identity.map { [$0.certificate, $0.key] } ?? []
        let program = RunningProgram("python3", ["-u", "-c", script, "\(port)"] + files)
        let line = try await eventually("a receiver: \(program.lines)") { program.lines.first }
        return Receiver(program: program, port: try #require(Int(line), "\(program.lines)"))
    }

    func stop() async { await program.kill() }

    private static let script = """
        import base64, http.server, json, signal, ssl, sys, time
        signal.alarm(300)  # Whatever becomes of the tests.
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                raw = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                try:
                    body = json.loads(raw)
                except ValueError:
                    body = None
                said = {"path": self.path, "headers": headers, "body": body}
                said["raw"] = base64.b64encode(raw).decode()
                sys.stdout.write(json.dumps(said) + "\\n")
                sys.stdout.flush()
                word = self.path.split("/")[1]
                if word == "hang":
                    time.sleep(300)
                self.send_response({"gone": 410, "missing": 404, "to": 307}.get(word, 201))
                if word == "to":
                    self.send_header("Location", f"http://127.0.0.1:{self.path.split('/')[2]}/hook")
                size = 10_000_000 if word == "big" else 0
                self.send_header("Content-Length", str(size))
                self.end_headers()
                self.wfile.write(b"x" * size)
            def log_message(self, *arguments):
                pass
        class Server(http.server.ThreadingHTTPServer):
            request_queue_size = 128
            def handle_error(self, *arguments):
                pass
        server = Server(("127.0.0.1", int(sys.argv[1])), Handler)
        if len(sys.argv) > 2:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[2], sys.argv[3])
            server.socket = context.wrap_socket(
                server.socket, server_side=True, do_handshake_on_connect=False)
        print(server.server_port)
        server.serve_forever()
        """
}
