import XML

/// XML of any kind: what a format receives of it.
enum XMLDocuments {
    /// An element of the name `stop` is refused.
    static func read(_ bytes: [UInt8]) throws {
        let notes = Notes()
        var (isRead, isRefused) = (false, false)
        do throws(XMLError<Stop>) {
            _ = try XMLReader.read(bytes, Outline(notes: notes))
            isRead = true
        } catch {
            switch error {
            case .malformed(let reason, let line):
                try expect(!reason.isEmpty && line > 0, "a refusal has a reason, and a line")
            case .refused(_, let line):
                isRefused = true
                try expect(line > 0, "a refusal has a line")
            }
        }
        try expect(notes.isNested, "elements end in the order in which they began")
        try expect(notes.depth <= XMLDocuments.maximumDepth, "elements nest to a bounded depth")
        try expect(isRefused == notes.isStopped, "a document refused by the format is refused")
        try expect(!notes.hasGoneOn, "nothing is reported after a refusal")
        try expect(
            !isRead || (notes.open.isEmpty && notes.roots == 1), "a document is one element")
    }

    /// As ``XMLReader`` has it.
    private static let maximumDepth = 100

    private struct Stop: Error {}

    private final class Notes {
        var open: [Substring] = []
        var depth = 0
        var roots = 0
        var isNested = true
        var isStopped = false
        /// Whether anything was reported after the refusal.
        var hasGoneOn = false
    }

    private struct Outline: XMLFormat {
        typealias Failure = Stop

        let notes: Notes

        mutating func start(_ name: Substring, _ attributes: [String: String]) throws(Stop) {
            if notes.isStopped { notes.hasGoneOn = true }
            if notes.open.isEmpty { notes.roots += 1 }
            notes.open.append(name)
            notes.depth = max(notes.depth, notes.open.count)
            guard name == "stop" else { return }
            notes.isStopped = true
            throw Stop()
        }

        mutating func end(_ name: Substring, _ text: String) throws(Stop) {
            if notes.isStopped { notes.hasGoneOn = true }
            if notes.open.popLast() != name { notes.isNested = false }
        }
    }
}
