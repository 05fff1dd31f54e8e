import Logging
import Testing

@testable import LocalBroker

struct BrokerLogTests {
    private let start = ContinuousClock.now

    @Test func `Errors, warnings and gate messages pass`() {
        var log = BrokerLog()
        #expect(
            log.take("Error: Address already in use", at: start)
                == [.init(level: .error, text: "Error: Address already in use")])
        #expect(log.take("Warning: something", at: start).map(\.level) == [.warning])
        #expect(
            log.take("kith: refused 3 connections", at: start)
                == [.init(level: .notice, text: "kith: refused 3 connections")])
    }

    @Test func `No line names a client`() {
        var log = BrokerLog()
        for id in ["ann.phone", "\u{301}ann.phone"] {
            let line = "Protocol error from \(id): password without username, closing connection."
            #expect(log.take(line, at: start).isEmpty)
        }
    }

    @Test func `A repeated line is logged once a minute`() {
        var log = BrokerLog()
        let line = "Error: No space left on device."
        #expect((0..<120).flatMap { _ in log.take(line, at: start) }.map(\.text) == [line])
        #expect(
            log.take(line, at: start + .seconds(61)).map(\.text)
                == ["119 lines of mosquitto's log were omitted", line])
    }

    @Test func `A flood is cut short and its size logged a minute later`() {
        var log = BrokerLog()
        let passed = (0..<10_000).flatMap { log.take("Error \($0)", at: start) }
        #expect(passed.count == BrokerLog.linesAMinute)
        let later = log.take("Error: again", at: start + .seconds(61))
        #expect(
            later.map(\.text) == ["9900 lines of mosquitto's log were omitted", "Error: again"])
    }
}
