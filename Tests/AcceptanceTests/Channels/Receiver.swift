import TestJSON
import Testing

/// A server that takes whatever is posted to it: what a webhook leads to.
struct Receiver: Sendable {
    private let program: RunningProgram
    let port: Int

    var url: String { "http://127.0.0.1:\(port)/hook" }

    /// `{headers,body}`, in the order in which they came.
    var messages: [JSON] { program.lines.dropFirst().map { JSON(parsing: $0) } }

    /// - Parameter port: 0 for one that is free.
    static func start(at port: Int = 0) async throws -> Receiver {
        let program = RunningProgram("python3", ["-u", "-c", script, "\(port)"])
        let line = try await eventually("a receiver: \(program.lines)") { program.lines.first }
        return Receiver(program: program, port: try #require(Int(line), "\(program.lines)"))
    }

    /// A port on which nobody listens.
    static func freePort() async throws -> Int {
        let receiver = try await start()
        await receiver.stop()
        return receiver.port
    }

    func stop() async { await program.kill() }

    private static let script = """
        import http.server, json, signal, sys
        signal.alarm(300)  # Whatever becomes of the tests.
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                print(json.dumps({"headers": headers, "body": json.loads(body)}))
                self.send_response(204)
                self.end_headers()
            def log_message(self, *arguments):
                pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
        print(server.server_port)
        server.serve_forever()
        """
}
