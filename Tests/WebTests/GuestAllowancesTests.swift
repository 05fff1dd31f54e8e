import Contract
import JSON
import Limits
import Synchronization
import Testing

@testable import Web

/// What all guests together may request, and which of them waits for which.
struct GuestAllowancesTests {
    private let start = ContinuousClock.now
    private let limits = WebSettings.Limits()

    private func takes(
        _ allowances: GuestAllowances, _ errand: GuestErrand, isNew: Bool = false,
        at time: Duration = .zero
    ) -> Bool {
        do {
            _ = try allowances.take(errand, 1, isNew: isNew, first: 0, at: start + time)
            return true
        } catch {
            return false
        }
    }

    @Test func `Guests who read leave room for logging in and for links`() {
        let allowances = GuestAllowances(limits, at: start)
        while takes(allowances, .reading) {}
        for _ in 1...10 {
            #expect(takes(allowances, .entering, isNew: true))
            #expect(takes(allowances, .entering))
            #expect(takes(allowances, .links))
        }
    }

    @Test func `Guests who read get the allowance that others leave`() {
        let allowances = GuestAllowances(limits, at: start)
        let count = (1...1_000).count { _ in takes(allowances, .reading) }
        #expect(count > Int(limits.reading.burst) + 40)
    }

    @Test func `Guests who keep trying to log in leave room for those who hardly tried`() {
        let allowances = GuestAllowances(limits, at: start)
        while takes(allowances, .entering) {}
        for second in 1...60 {
            for _ in 1...20 { _ = takes(allowances, .entering, at: .seconds(second)) }
            for _ in 1...5 {
                #expect(takes(allowances, .entering, isNew: true, at: .seconds(second)))
            }
            for _ in 1...20 { _ = takes(allowances, .links, at: .seconds(second)) }
            for _ in 1...2 {
                #expect(takes(allowances, .links, isNew: true, at: .seconds(second)))
            }
        }
    }

    /// 40 addresses that request all they may, and a stranger each second who logs in.
    @Test func `Forty addresses at their limits keep no one else from logging in`() throws {
        let gateway = GuestGateway(limits)
        func asks(_ address: String, _ method: String) -> Bool {
            let guest = gateway.guest(at: NetworkAddress(address), method)
            do {
                try gateway.begin(guest)
                _ = try gateway.connection(for: guest, 1)
                return true
            } catch {
                return false
            }
        }
        var refused = 0
        for round in 0..<20 {
            for attacker in 0..<40 {
                for method in ["account.login", "run.list", "share.open"] {
                    _ = asks("198.51.100.\(attacker)", method)
                }
            }
            if !asks("203.0.113.\(round)", "account.login") { refused += 1 }
            if !asks("203.0.113.\(round)", "share.open") { refused += 1 }
        }
        #expect(refused == 0)
    }

    @Test func `All allowances together are below the gate's own`() {
        let all = [
            limits.newcomers, limits.attempts, limits.newLinks, limits.links, limits.reading,
        ]
        // GateSettings.Limits.addressMessages
        #expect(all.map(\.burst).reduce(0, +) < 500 && all.map(\.perSecond).reduce(0, +) < 20)
    }

    @Test func `A connection with nothing left is skipped`() throws {
        let allowances = GuestAllowances(limits, at: start)
        let used = try (1...40).map { _ in
            try allowances.take(.entering, 1, isNew: true, first: 31, at: start)
        }
        #expect(used.prefix(15) == ArraySlice(repeating: 31, count: 15))
        #expect(Set(used) == [31, 0, 1])
    }
}

/// Answers that the page caches for a moment.
struct PublicAnswersTests {
    private let start = ContinuousClock.now
    private let answers = PublicAnswers()
    private let asked = Asked()

    private final class Asked: Sendable {
        private let number = Mutex(0)
        var count: Int { number.withLock { $0 } }
        func next() -> Int {
            number.withLock {
                $0 += 1; return $0
            }
        }
    }

    private func ask(
        _ body: String, at time: Duration = .zero, isFull: Bool = false, fails: Bool = false
    ) async throws -> String {
        let value = try #require(JSONValue(parsing: Array(body.utf8)))
        let bytes = try await answers.answer(to: "run.get", value, at: start + time) {
            () throws(Refusal) in
            if isFull { throw .tooMuch }
            return 7
        } ask: { [asked] connection in
            let number = asked.next()
            return fails ? .failure(.noAnswer) : .success(Array("\(connection):\(number)".utf8))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `An answer requested again within two seconds is the page's copy`() async throws {
        #expect(try await ask(#"{"run":"a","splits":true}"#) == "7:1")
        #expect(
            try await ask(#"{"splits":true,"run":"a","id":"9","visitor":"x"}"#, at: .seconds(1))
                == "7:1")
        #expect(try await ask(#"{"run":"b","splits":true}"#, at: .seconds(1)) == "7:2")
        #expect(try await ask(#"{"run":"a","splits":true}"#, at: .seconds(3)) == "7:3")
    }

    @Test func `An answer may be ten seconds old while no more requests are allowed`() async throws
    {
        #expect(try await ask("{}") == "7:1")
        #expect(try await ask("{}", at: .seconds(9), isFull: true) == "7:1")
        await #expect(throws: Refusal.self) { try await ask("{}", at: .seconds(11), isFull: true) }
        await #expect(throws: Refusal.self) { try await ask(#"{"run":"c"}"#, isFull: true) }
    }

    @Test func `A question other than an object is not answered like an empty object`() async throws
    {
        #expect(try await ask("{}") == "7:1")
        #expect(try await ask("[]") == "7:2")
        #expect(try await ask("5") == "7:3")
    }

    @Test func `A refusal is not cached`() async throws {
        await #expect(throws: Refusal.self) { try await ask("{}", fails: true) }
        #expect(try await ask("{}") == "7:2")
    }

    @Test func `Answers beyond the cache's size evict the oldest`() async throws {
        for number in 0...PublicAnswers.maximumCount {
            _ = try await ask("{\"run\":\"\(number)\"}")
        }
        let count = asked.count
        _ = try await ask(#"{"run":"\#(PublicAnswers.maximumCount)"}"#)
        #expect(asked.count == count)
        _ = try await ask(#"{"run":"0"}"#)
        #expect(asked.count == count + 1)
    }
}
