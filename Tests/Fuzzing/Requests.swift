import Contract
import JSON

/// Requests of devices and of guests: the first line is the method, the rest is the payload.
enum Requests {
    static func request(_ bytes: [UInt8]) throws {
        try run(bytes) { method, request throws(Problem) in
            "\(try Command(method: method, request, at: Payloads.now, Payloads.limits))"
        }
    }

    static func guest(_ bytes: [UInt8]) throws {
        try run(bytes) { method, request throws(Problem) in
            // Only the types' own descriptions print addresses and names.
            "\(try GuestCommand(method: method, request, at: Payloads.now, Payloads.limits))"
        }
    }

    private enum Outcome: Equatable {
        /// The words of its description, in no order, since sets have none.
        case command(id: JSONValue?, [Substring])
        case problem(Problem)
    }

    private static func run(
        _ bytes: [UInt8], _ command: (String, Request) throws(Problem) -> String
    ) throws {
        let lines = Lines(1, of: bytes)
        let outcome = read(lines.heads[0], lines.rest, command)
        if case .problem(let problem) = outcome {
            try Payloads.check(problem)
            let reply = Reply(id: nil, .problem(problem)).payload
            try expect(reply.count <= Payloads.maximum, "a reply fits into a payload")
            try expect(JSONValue(parsing: reply) != nil, "a reply is JSON")
        }
        guard let respelt = Payloads.respelt(lines.rest) else { return }
        try expect(
            read(lines.heads[0], respelt, command) == outcome,
            "a request means the same however its JSON is spelt")
    }

    private static func read(
        _ method: String, _ payload: [UInt8],
        _ command: (String, Request) throws(Problem) -> String
    ) -> Outcome {
        do throws(Problem) {
            let request = try Request(payload)
            let words = try command(method, request).split { " ,:()[]".contains($0) }
            return .command(id: request.id, words.sorted())
        } catch {
            return .problem(error)
        }
    }
}
