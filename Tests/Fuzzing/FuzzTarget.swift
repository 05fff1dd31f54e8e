/// A part of Kith that reads foreign input, as a function of bytes: it returns whatever the bytes
/// are, and what it accepts satisfies some invariants.
///
/// `tools/fuzz` drives these with libFuzzer; the tests replay the corpus through them.
public struct FuzzTarget: Sendable, CustomStringConvertible {
    /// Also the directory of its corpus.
    public let name: String
    /// In bytes: a longer input reveals nothing new, and takes longer.
    public var maximumLength = 4_096
    /// - Throws: ``Finding`` if an invariant is violated.
    public let run: @Sendable ([UInt8]) throws -> Void

    public static let all: [FuzzTarget] = outer + inner

    /// The targets of public code.
    private static let outer = [
        FuzzTarget(name: "topic", run: Topics.parse),
        FuzzTarget(name: "access", run: Topics.decide),
        FuzzTarget(name: "json", run: Payloads.json),
        FuzzTarget(name: "fix", run: Payloads.fix),
        FuzzTarget(name: "vitals", run: Payloads.vitals),
        FuzzTarget(name: "owntracks", run: Payloads.ownTracks),
        FuzzTarget(name: "report", run: Payloads.report),
        FuzzTarget(name: "request", run: Requests.request),
        FuzzTarget(name: "guest", run: Requests.guest),
        FuzzTarget(name: "text", run: Texts.read),
        FuzzTarget(name: "sending", run: Sending.read),
        FuzzTarget(name: "passkey", run: Passkeys.read),
        FuzzTarget(name: "track", run: Tracks.read),
        FuzzTarget(name: "nearest", run: Nearness.order),
        FuzzTarget(name: "schedule", run: ScheduleTexts.read),
        FuzzTarget(name: "place", run: Payloads.place),
        FuzzTarget(name: "turn", run: Turns.run),
        FuzzTarget(name: "gate", run: Gates.run),
        FuzzTarget(name: "xml", maximumLength: 16_384, run: XMLDocuments.read),
        FuzzTarget(name: "tiles", maximumLength: 8_192, run: Maps.read),
        FuzzTarget(name: "backup", maximumLength: 16_384, run: Backups.check),
        FuzzTarget(name: "places", maximumLength: 8_192, run: OperatorFiles.places),
        FuzzTarget(name: "cities", run: OperatorFiles.cities),
        FuzzTarget(name: "catalogue", run: OperatorFiles.catalogue),
        FuzzTarget(name: "sealed", run: Sealed.open),
        FuzzTarget(name: "home", run: HomeTopics.run),
    ]

    public var description: String { name }
}

/// An invariant that an input has violated.
public struct Finding: Error, CustomStringConvertible {
    public let description: String
    init(_ description: String) { self.description = description }
}

func expect(_ condition: Bool, _ promise: @autoclosure () -> String) throws {
    if !condition { throw Finding(promise()) }
}

/// The first lines of an input, and everything after them.
struct Lines {
    let heads: [String]
    let rest: [UInt8]

    init(_ count: Int, of bytes: [UInt8]) {
        let parts = bytes.split(
            separator: UInt8(ascii: "\n"), maxSplits: count, omittingEmptySubsequences: false)
        heads = (0..<count).map { index in
            index < parts.count ? String(decoding: parts[index], as: UTF8.self) : ""
        }
        rest = parts.count > count ? Array(parts[count]) : []
    }
}
