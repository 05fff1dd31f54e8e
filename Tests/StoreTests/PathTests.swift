import Contract
import TestSupport
import Testing
import Tracking

@testable import Store

struct PathTests {
    /// Alice, a group that sees her, and a path that her tracker has begun.
    private struct Scene {
        let file: TemporaryStore
        let user: UserID
        let group: GroupID
        let path: Path
    }

    private func scene() throws -> Scene {
        let file = try TemporaryStore()
        let (user, _) = try file.addUser("alice")
        let group = try file.addGroup("a", user)
        var tracker = Tracker(user: user)
        _ = tracker.join(group, at: .noon)
        _ = try tracker.triggerSOS(at: .noon, Rules())
        let path = try #require(tracker.path)
        try file.run { try $0.begin(path, of: user) }
        return Scene(file: file, user: user, group: group, path: path)
    }

    private func add(_ seconds: [Int64], _ scene: Scene) throws {
        try scene.file.run { transaction in
            for (index, second) in seconds.enumerated() {
                let row = FixRow(
                    id: FixID(rawValue: Int64(index + 1)), device: DeviceID(rawValue: 1),
                    fix: .taken(second))
                try transaction.add(row, toPath: scene.path.number, of: scene.user)
            }
        }
    }

    private func seconds(_ points: [Path.Point]) -> [Int64] {
        points.map { ($0.takenAt.milliseconds - Timestamp.noon.milliseconds) / 1000 }
    }

    /// All pages of the given number of points.
    private func pages(_ scene: Scene, of count: Int) throws -> [[Int64]] {
        var (pages, place): ([[Int64]], PointKey?) = ([], nil)
        while true {
            let page = try scene.file.run { transaction in
                try transaction.pathPoints(
                    scene.path.number, of: scene.user, after: place, atMost: count)
            }
            guard let last = page.last else { return pages }
            pages.append(seconds(page.map(\.point)))
            place = last.place
        }
    }

    @Test func `Points are ordered by time, regardless of their arrival`() throws {
        let scene = try scene()
        try add([5, 1, 4, 2, 3, 3], scene)
        #expect(try pages(scene, of: 100) == [[1, 2, 3, 3, 4, 5]])
        #expect(try pages(scene, of: 3) == [[1, 2, 3], [3, 4, 5]])
        try scene.file.run { transaction in
            for (count, expected) in [(0, 0), (3, 3), (9, 6)] {
                let last = try transaction.lastPathPoints(
                    scene.path.number, of: scene.user, count: count)
                #expect(seconds(last) == [1, 2, 3, 3, 4, 5].suffix(expected))
            }
        }
    }

    @Test func `A path's number of points is known once it has ended`() throws {
        let scene = try scene()
        try add([1, 2, 3], scene)
        try scene.file.run { transaction in
            #expect(try transaction.latestPath(of: scene.user)?.count == nil)
            try transaction.endPath(scene.path.number, of: scene.user, at: .noon)
            #expect(try transaction.latestPath(of: scene.user)?.count == 3)
        }
    }

    @Test func `A point is kept without its fix`() throws {
        let scene = try scene()
        try add([1, 2, 3], scene)
        #expect(try scene.file.count("fixes") == 0)
        #expect(try pages(scene, of: 9) == [[1, 2, 3]])
    }

    @Test func `A group sees the newest path that is shown to it`() throws {
        let scene = try scene()
        let (user, group) = (scene.user, scene.group)
        var tracker = Tracker(user: user)
        _ = tracker.join(group, at: .noon)
        _ = try tracker.triggerSOS(at: .noon, Rules())
        _ = try tracker.stopSOS(at: .noon)
        let place = Destination(coordinate: Fix.taken(0).coordinate)
        _ = try tracker.startJourney(
            to: place, eta: .noon + .seconds(60), with: [group], at: .noon)
        let second = try #require(tracker.path)
        #expect(second.number == 2)
        try scene.file.run { transaction in
            try transaction.begin(second, of: user)
            #expect(try transaction.visiblePath(of: user, to: group)?.number == 2)
            #expect(try transaction.visiblePath(of: user, to: group)?.mode == .journey)
            #expect(try transaction.visiblePaths().count == 1)
            try transaction.endPath(2, of: user, at: .noon)
            try transaction.withdrawPath(2, of: user)
            #expect(try transaction.visiblePath(of: user, to: group)?.number == 1)
            #expect(try transaction.visiblePath(of: user, to: group)?.mode == .sos)
            #expect(try transaction.latestPath(of: user)?.number == 2)
            #expect(try transaction.groups(ofPath: 1, of: user) == [group])
            #expect(try transaction.groups(ofPath: 2, of: user) == [])
            try transaction.withdrawPaths(from: 1, of: user, from: group)
            #expect(try transaction.visiblePath(of: user, to: group) == nil)
        }
    }

    @Test func `A group keeps only the newest SOS path`() throws {
        let scene = try scene()
        let (user, group) = (scene.user, scene.group)
        let other = try scene.file.addGroup("o", user)
        var tracker = Tracker(user: user)
        for member in [group, other] { _ = tracker.join(member, at: .noon) }
        func shown() throws -> [String] {
            try scene.file.column(
                "SELECT group_id || ':' || number FROM path_groups ORDER BY group_id, number")
        }
        for number in 1...4 {
            _ = try tracker.triggerSOS(at: .noon, Rules())
            let path = try #require(tracker.path)
            try scene.file.run { transaction in
                if number > 1 { try transaction.begin(path, of: user) }
                if number == 1 { try transaction.show(path, of: user) }
            }
            if number == 2 {
                // It is running: the previous one would be shown again if it were withdrawn.
                #expect(try shown() == ["1:1", "1:2", "2:1", "2:2"])
            }
            _ = try tracker.stopSOS(at: .noon)
            try scene.file.run { transaction in
                // The other group does not see the last one.
                if number == 4 { try transaction.withdrawPaths(from: 4, of: user, from: other) }
                try transaction.endPath(path.number, of: user, at: .noon)
                try transaction.supersedePaths(by: path.number, of: user)
            }
        }
        #expect(try shown() == ["1:4", "2:3"])
    }

    @Test func `Ended paths are withdrawn and deleted by their end, running ones never`() throws {
        let scene = try scene()
        let (user, group) = (scene.user, scene.group)
        try add([1, 2], scene)
        let later = Timestamp.noon + .seconds(86_400 * 365)
        try scene.file.run { transaction in
            #expect(
                try transaction.withdrawPaths(endedBefore: later, after: nil, atMost: 9).ends
                    .isEmpty)
            #expect(
                try transaction.deletePaths(.sos, endedBefore: later, after: nil, atMost: 9)
                    .deleted == 0)
            #expect(try transaction.visiblePath(of: user, to: group) != nil)
            try transaction.endPath(1, of: user, at: .noon + .seconds(10))
            #expect(
                try transaction.withdrawPaths(
                    endedBefore: .noon + .seconds(10), after: nil, atMost: 9
                ).ends.isEmpty)
            let end = Timestamp.noon + .seconds(11)
            let (shown, ends) = try transaction.withdrawPaths(
                endedBefore: end, after: nil, atMost: 9)
            #expect(shown.map(\.group) == [group])
            #expect(shown.map(\.user) == [user])
            #expect(
                try transaction.withdrawPaths(endedBefore: end, after: ends.last, atMost: 9).ends
                    .isEmpty)
            #expect(try transaction.latestPath(of: user) != nil)
            #expect(
                try transaction.deletePaths(.journey, endedBefore: end, after: nil, atMost: 9)
                    .deleted == 0)
            #expect(
                try transaction.deletePaths(.sos, endedBefore: end, after: nil, atMost: 9)
                    .deleted == 3)
            #expect(try transaction.latestPath(of: user) == nil)
        }
        #expect(try scene.file.count("path_points") == 0)
    }

    @Test func `Ended journeys alone can be deleted, in parts, skipping other paths`() throws {
        let scene = try scene()
        let user = scene.user
        try add([1, 2], scene)
        try scene.file.run { try $0.endPath(1, of: user, at: .noon) }
        for number in 2...4 {
            try scene.file.execute(
                """
                INSERT INTO paths VALUES (1, \(number), 'journey', 0,
                    \(Timestamp.noon.milliseconds + Int64(number)), 3)
                """)
            for second in 1...3 {
                try scene.file.execute(
                    "INSERT INTO path_points VALUES (1, \(number), \(second), \(second), 0, 0)")
            }
        }
        var (counts, place): ([Int], PathEnd?) = ([], nil)
        var hasMore = true
        while hasMore {
            let step = try scene.file.run { transaction in
                try transaction.deletePaths(
                    .journey, endedBefore: .noon + .milliseconds(4), after: place, atMost: 3)
            }
            (place, hasMore) = (step.place, step.hasMore)
            counts.append(step.deleted)
        }
        #expect(counts.reduce(0, +) == 8)
        #expect(counts.allSatisfy { $0 <= 4 }, "\(counts)")
        #expect(try scene.file.column("SELECT CAST(number AS TEXT) FROM paths") == ["1", "4"])
        #expect(try scene.file.count("path_points") == 5)
    }

    @Test func `A long path is deleted in parts, its points first`() throws {
        let scene = try scene()
        try add(Array(1...25), scene)
        let counts = try scene.file.run { transaction in
            try transaction.endPath(1, of: scene.user, at: .noon)
            var counts: [Int] = []
            while counts.last != 0 {
                counts.append(
                    try transaction.deletePaths(
                        .sos, endedBefore: .noon + .seconds(1), after: nil, atMost: 10
                    ).deleted)
            }
            return counts
        }
        #expect(counts == [10, 10, 6, 0])
        #expect(try scene.file.count("paths") == 0)
    }
}
