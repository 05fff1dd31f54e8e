import TestSupport
import Testing
import Tracking

@testable import Store

struct AlertTests {
    @Test func `A group's alerts are listed newest first`() throws {
        let file = try TemporaryStore()
        let (user, _) = try file.addUser("alice")
        let (one, other) = (try file.addGroup("a"), try file.addGroup("b"))
        let alerts = (0..<5).map { number in
            Alert.some(to: one, number: Int64(number), at: .noon + .seconds(number))
        }
        try file.run { transaction in
            for alert in alerts.shuffled() { try transaction.insert(alert, of: user) }
            try transaction.insert(Alert.some(to: other, number: 9), of: user)

            let all = try transaction.alerts(of: one, before: nil, limit: 50)
            #expect(all.map(\.alert) == alerts.reversed())
            #expect(all.allSatisfy { $0.user == user && $0.acknowledgedBy.isEmpty })
            let page = try transaction.alerts(of: one, before: alerts[3].id, limit: 2)
            #expect(page.map(\.alert) == [alerts[2], alerts[1]])
            #expect(try transaction.alerts(of: one, before: alerts[0].id, limit: 2).isEmpty)
            #expect(try transaction.alert(alerts[2].id)?.alert == alerts[2])
            let unknown = UUIDv7(at: .noon, random: (1, 1))
            #expect(try transaction.alert(unknown) == nil)
        }
    }

    @Test func `Acknowledgements are listed in order, one per user`() throws {
        let file = try TemporaryStore()
        let users = try file.addUsers("ann", "bob", "cid")
        let alert = Alert.some(to: try file.addGroup("a"), number: 1)
        try file.run { transaction in
            try transaction.insert(alert, of: users[0])
            for (user, second) in [(users[2], 1), (users[0], 2), (users[1], 2), (users[2], 3)] {
                try transaction.acknowledge(alert.id, by: user, at: .noon + .seconds(second))
            }
            #expect(
                try transaction.alert(alert.id)?.acknowledgedBy == [users[2], users[0], users[1]])
        }
    }

    @Test func `Alerts before a moment are deleted with their acknowledgements`() throws {
        let file = try TemporaryStore()
        let (user, _) = try file.addUser("alice")
        let group = try file.addGroup("a")
        try file.run { transaction in
            for second in 0..<4 {
                let alert = Alert.some(
                    to: group, number: Int64(second), at: .noon + .seconds(second))
                try transaction.insert(alert, of: user)
                try transaction.acknowledge(alert.id, by: user, at: .noon)
            }
            let middle = UUIDv7(at: .noon + .seconds(2), random: (0, 0))
            var counts: [Int] = []
            while counts.last != 0 {
                counts.append(try transaction.deleteAlerts(before: middle, atMost: 3))
            }
            #expect(counts == [3, 1, 0])
            #expect(try transaction.alerts(of: group, before: nil, limit: 9).count == 2)
        }
        #expect(try file.count("acknowledgements") == 2)
    }
}
