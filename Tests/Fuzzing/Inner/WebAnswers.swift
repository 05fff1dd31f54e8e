#if DEBUG
import TestSupport
import Contract
import ExportFiles
import HTTPTypes
import JSON
import MQTT
import Tracking

@testable import Web

/// What the page reads of the bridge's messages.
enum WebAnswers {
    // MARK: Receipts and replies

    private static let maximumLines = 64

    /// Each line is a letter and the rest:
    ///
    ///     s [{"seq":1}]            fixes are sent
    ///     k 0, K 0                 the broker has accepted the message of that number, or not
    ///     t {"seq":1}              a receipt
    ///     j {"topic":"fix",…}      a rejection
    ///     a                        the connection was lost: everything is resent
    ///     q                        a request is made
    ///     y {"result":{}}          the reply to the last request
    ///     h {"result":{}}          the bridge's report on its health
    ///     w 20                     this many seconds pass
    static func run(_ bytes: [UInt8]) throws {
        var waiting = Waiting()
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: maximumLines)
        for line in lines.prefix(maximumLines) {
            let words = line.split(
                separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
            try waiting.take(
                String(decoding: words[0], as: UTF8.self),
                words.count > 1 ? Array(words[1]) : [])
        }
        try waiting.end()
    }

    private final class Box {
        /// How often each was answered.
        var answers: [Int] = []
        var broken: Finding?
    }

    private struct Waiting {
        private let box = Box()
        private var fixes = PendingFixes()
        private var requests = PendingReplies()
        private var now = Duration.zero
        private var published: [Connection.PublishID] = []
        private var key: [UInt8]?

        mutating func take(_ kind: String, _ rest: [UInt8]) throws {
            let number = Int(String(decoding: rest, as: UTF8.self))
            switch kind {
            case "s": send(rest)
            case "k", "K":
                guard let number, published.indices.contains(number) else { return }
                let id = published[number]
                if kind == "k" {
                    fixes.confirm(id)
                    requests.confirm(id)
                } else {
                    fixes.refuse(id)
                    requests.refuse(id)
                }
            case "t": fixes.takeReceipt(rest)
            case "j": fixes.takeRejection(rest, topic: "fix", at: now)
            case "a":
                fixes.sendAgain()
                requests.sendAgain()
                flush()
            case "q": ask()
            case "y":
                requests.take(
                    Message(topic: "replies", payload: rest, correlationData: key))
            case "h": _ = Health.found(in: rest)
            case "w":
                now += .seconds(min(max(number ?? 0, 0), 100))
                fixes.expire(at: now)
                requests.expire(at: now)
            default: break
            }
            if let broken = box.broken { throw broken }
        }

        mutating func end() throws {
            fixes.fail(.noBroker)
            requests.fail(.noBroker)
            if let broken = box.broken { throw broken }
            try expect(box.answers.allSatisfy { $0 == 1 }, "each is answered, and once")
        }

        private mutating func send(_ payload: [UInt8]) {
            let sent: NumberedFixes
            do throws(Problem) {
                sent = try NumberedFixes(payload)
            } catch {
                do { try Payloads.check(error) } catch { box.broken = Finding("\(error)") }
                return
            }
            let box = box
            let number = box.answers.count
            box.answers.append(0)
            fixes.add(sent, to: "fix", until: now + .seconds(20)) { result in
                box.answers[number] += 1
                switch result {
                case .success(let outcome):
                    let told = outcome.rejected.flatMap(\.numbers)
                    if !sent.numbers.isSuperset(of: told) {
                        box.broken = Finding("only the sender's numbers are reported")
                    }
                    if outcome.stored == nil, sent.last != nil {
                        box.broken = Finding("what has a number has a receipt")
                    }
                case .failure(let refusal):
                    if !(400...599).contains(refusal.status.code) {
                        box.broken = Finding("a refusal is one")
                    }
                }
            }
            flush()
        }

        private mutating func ask() {
            let box = box
            let number = box.answers.count
            box.answers.append(0)
            requests.add("requests/x", [], replies: "replies", until: now + .seconds(20)) { _ in
                box.answers[number] += 1
            }
            flush()
        }

        private mutating func flush() {
            var sent: [Connection.PublishID] = []
            var last = key
            let first = Int32(clamping: published.count) + 1
            fixes.flush(at: now) { _, _ in
                sent.append(.init(rawValue: first + Int32(clamping: sent.count)))
                return .init(rawValue: first + Int32(clamping: sent.count) - 1)
            }
            requests.flush { _, _, key, _ in
                last = key
                sent.append(.init(rawValue: first + Int32(clamping: sent.count)))
                return .init(rawValue: first + Int32(clamping: sent.count) - 1)
            }
            published += sent
            key = last
        }
    }

    // MARK: The pages of an export

    /// Each line is an item of a page, as `account.export` gives them; an empty line ends a page.
    static func export(_ bytes: [UInt8]) throws {
        let pages = pages(of: bytes)
        let size = try waiting { try await WebAnswers.size(ofExport: pages, of: "ann") }
        try expect(size ?? 1 > 0, "an archive is not empty")
    }

    private static let maximumItems = 64

    private static func pages(of bytes: [UInt8]) -> [[JSONValue]] {
        var pages: [[JSONValue]] = [[]]
        let lines = bytes.split(
            separator: UInt8(ascii: "\n"), maxSplits: maximumItems,
            omittingEmptySubsequences: false)
        for line in lines.prefix(maximumItems) {
            if line.isEmpty {
                pages.append([])
            } else if let item = JSONValue(parsing: Array(line)) {
                pages[pages.count - 1].append(item)
            }
        }
        return pages
    }

    /// - Returns: the size of the archive in bytes; nil if a page cannot be understood.
    private static func size(ofExport pages: [[JSONValue]], of user: Name) async throws -> Int? {
        let asked = ExportPages { fields throws(PageRefusal) in
            let number = Int(clamping: fields["cursor"]?.integer ?? 0)
            guard pages.indices.contains(number) else { throw PageRefusal.unreadable }
            let next: JSONValue =
                number + 1 < pages.count ? .number(Double(number + 1)) : .null
            return .object([
                .init(key: "items", value: .array(pages[number])),
                .init(key: "next", value: next),
            ])
        }
        do {
            let first = try await asked.page(at: .null)
            let source = PagedExport(asked, of: user, beginningWith: first)
            let size = Size()
            try await ExportArchive(of: source, at: Payloads.now) { size.bytes += $0.count }
                .write()
            return size.bytes
        } catch is UnlistedItem {
            return nil
        } catch is PageRefusal {
            return nil
        }
    }

    private final class Size {
        var bytes = 0
    }
}
#endif
