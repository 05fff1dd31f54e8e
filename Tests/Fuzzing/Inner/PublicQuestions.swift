#if DEBUG
import JSON

@testable import Web

/// Requests of guests that all get the same answer, from what the page already has.
///
/// Each line is a letter and the rest:
///
///     a run.list {"id":1}    asks, and the bridge answers
///     r run.list {}          asks, and the bridge refuses
///     n run.list {}          asks while there is no room
///     w 3                    this many seconds pass
enum PublicQuestions {
    private static let maximumLines = 64

    static func run(_ bytes: [UInt8]) throws {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: maximumLines)
            .prefix(maximumLines).map { Array($0) }
        try waiting {
            var page = Page()
            for (number, line) in lines.enumerated() { try await page.take(line, number) }
        }
    }

    /// The method, and the request without what only distinguishes it from others.
    private struct Question: Hashable {
        let method: String
        var parts: [String: [[UInt8]]] = [:]
        /// A payload that is not an object.
        var other: [UInt8]?

        init(_ method: String, _ asked: JSONValue) {
            self.method = method
            guard case .object(let members) = asked else {
                other = Payloads.write(asked)
                return
            }
            for member in members where member.key != "id" && member.key != "visitor" {
                parts[member.key, default: []].append(Payloads.write(member.value))
            }
        }
    }

    private struct Page {
        private let answers = PublicAnswers()
        private var now = ContinuousClock.now
        private var known: [Question: (at: ContinuousClock.Instant, answer: [UInt8])] = [:]

        mutating func take(_ line: [UInt8], _ number: Int) async throws {
            let words = line.split(
                separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
            let kind = String(decoding: words[0], as: UTF8.self)
            let first = words.count > 1 ? String(decoding: words[1], as: UTF8.self) : ""
            if kind == "w" {
                now += .seconds(min(max(Int64(first) ?? 0, 0), 100))
                return
            }
            guard ["a", "r", "n"].contains(kind), words.count > 2,
                let asked = JSONValue(parsing: Array(words[2]))
            else { return }
            let answer = Array("\(number)".utf8)
            let told = await ask(first, asked, kind, answer)
            let expected = expected(Question(first, asked), kind, answer)
            try expect(told == expected, "the answer is that to the question")
        }

        /// Nil for a refusal.
        private func ask(_ method: String, _ asked: JSONValue, _ kind: String, _ answer: [UInt8])
            async -> [UInt8]?
        {
            do {
                return try await answers.answer(to: method, asked, at: now) {
                    () throws(PageRefusal) in
                    guard kind != "n" else { throw .tooMuch }
                    return 0
                } ask: { _ in
                    kind == "a" ? .success(answer) : .failure(.unreadable)
                }
            } catch {
                return nil
            }
        }

        private mutating func expected(_ question: Question, _ kind: String, _ answer: [UInt8])
            -> [UInt8]?
        {
            if let before = known[question] {
                let age = now - before.at
                if age < PublicAnswers.freshness { return before.answer }
                if kind == "n" { return age < PublicAnswers.patience ? before.answer : nil }
            }
            switch kind {
            case "a": known[question] = (now, answer)
            case "r": known[question] = nil
            default: return nil
            }
            return known[question]?.answer
        }
    }
}
#endif
