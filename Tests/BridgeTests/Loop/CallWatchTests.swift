import Contract
import MQTT
import Testing
import Tracking

@testable import Bridge

/// How long calls for help take until the broker has the alerts.
struct CallWatchTests {
    private var watch = CallWatch()

    private func alert(_ row: Int64?) -> Publication {
        Publication(
            topic: "kith/groups/FamilyFamilyFamily_-09/alerts", payload: [], qos: .atLeastOnce,
            outboxRow: row)
    }

    private mutating func begin(_ publications: Publication..., at second: Int) {
        watch.begin(publications, in: TopicSpace(), since: .seconds(second), at: .seconds(second))
    }

    @Test mutating func `The last alert of a call counts, regardless of the turn's other messages`()
    {
        let answer = Publication(
            topic: "kith/users/ann/devices/phone/replies", payload: [], outboxRow: 7)
        begin(alert(1), answer, alert(2), alert(nil), at: 10)
        begin(alert(3), at: 11)
        #expect(watch.confirm(7, at: .seconds(12)) == [])
        #expect(watch.confirm(2, at: .seconds(12)) == [])
        #expect(watch.confirm(3, at: .seconds(13)) == [.seconds(2)])
        #expect(watch.confirm(1, at: .seconds(14)) == [.seconds(4)])
        #expect(watch.confirm(1, at: .seconds(15)) == [], "it counts once")
    }

    @Test mutating func `A call without alerts in the outbox is not watched`() {
        begin(alert(nil), at: 10)
        #expect(watch.confirm(1, at: .seconds(11)) == [])
    }

    @Test mutating func `Unconfirmed calls are forgotten, and calls beyond the bound ignored`() {
        begin(alert(1), at: 0)
        let later = 1 + Int(CallWatch.longest / .seconds(1))
        begin(alert(2), at: later)
        #expect(watch.confirm(1, at: .seconds(later)) == [])
        #expect(watch.confirm(2, at: .seconds(later)) == [.zero])
        for row in 0..<Int64(CallWatch.most + 1) { begin(alert(100 + row), at: later) }
        let last = 100 + Int64(CallWatch.most)
        #expect(watch.confirm(last - 1, at: .seconds(later)) == [.zero])
        #expect(watch.confirm(last, at: .seconds(later)) == [])
    }
}
