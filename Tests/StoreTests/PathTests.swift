import Testing
import Tracking

@testable import Store

struct PathTests {
    /// Alice and a group that sees her, and what her tracker says of a path that it began.
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
        _ = try tracker.triggerSOS(at: .noon)
        let path = try #require(tracker.path)
        try file.run { transaction throws(StoreError) in try transaction.begin(path, of: user) }
        return Scene(file: file, user: user, group: group, path: path)
    }

    private func add(_ seconds: [Int64], _ scene: Scene) throws {
        try scene.file.run { transaction throws(StoreError) in
            for (index, second) in seconds.enumerated() {
                let row = FixRow(
                    id: FixID(rawValue: Int64(index + 1)), device: DeviceID(rawValue: 1),
                    fix: .taken(second))
                try transaction.add(row, toPath: scene.path.number, of: scene.user)
            }
        }
    }

    private func points(_ scene: Scene, from offset: Int, count: Int) throws -> [Int64] {
        try scene.file.run { transaction throws(StoreError) in
            try transaction.pathPoints(
                scene.path.number, of: scene.user, from: offset, count: count)
        }.map { ($0.takenAt.milliseconds - Timestamp.noon.milliseconds) / 1000 }
    }

    @Test func `Points are in the order of their times, whatever the order of arrival`() throws {
        let scene = try scene()
        try add([5, 1, 4, 2, 3, 3], scene)
        #expect(try points(scene, from: 0, count: 100) == [1, 2, 3, 3, 4, 5])
        #expect(try points(scene, from: 1, count: 2) == [2, 3])
        #expect(try points(scene, from: 6, count: 2) == [])
        try scene.file.run { transaction throws(StoreError) in
            let (number, user) = (scene.path.number, scene.user)
            #expect(try transaction.pathLength(number, of: user) == 6)
            for (second, count) in [(0, 0), (1, 0), (3, 2), (4, 4), (9, 6)] {
                let time = Timestamp.noon + .seconds(second)
                #expect(try transaction.pathLength(number, of: user, before: time) == count)
            }
        }
    }

    @Test func `A point needs its fix no longer`() throws {
        let scene = try scene()
        try add([1, 2, 3], scene)
        #expect(try scene.file.count("fixes") == 0)
        #expect(try points(scene, from: 0, count: 9) == [1, 2, 3])
    }

    @Test func `A group sees the newest of the paths that are shown to it`() throws {
        let scene = try scene()
        let (user, group) = (scene.user, scene.group)
        var tracker = Tracker(user: user)
        _ = tracker.join(group, at: .noon)
        _ = try tracker.triggerSOS(at: .noon)
        _ = try tracker.stopSOS(at: .noon)
        let place = Destination(coordinate: Fix.taken(0).coordinate)
        _ = try tracker.startJourney(
            to: place, eta: .noon + .seconds(60), with: [group], at: .noon)
        let second = try #require(tracker.path)
        #expect(second.number == 2)
        try scene.file.run { transaction throws(StoreError) in
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

    @Test func `Ended paths are withdrawn and deleted by their end, running ones never`() throws {
        let scene = try scene()
        let (user, group) = (scene.user, scene.group)
        try add([1, 2], scene)
        let later = Timestamp.noon + .seconds(86_400 * 365)
        try scene.file.run { transaction throws(StoreError) in
            #expect(try transaction.withdrawPaths(endedBefore: later).isEmpty)
            try transaction.deletePaths(endedBefore: later)
            #expect(try transaction.visiblePath(of: user, to: group) != nil)
            try transaction.endPath(1, of: user, at: .noon + .seconds(10))
            #expect(try transaction.withdrawPaths(endedBefore: .noon + .seconds(10)).isEmpty)
            let withdrawn = try transaction.withdrawPaths(endedBefore: .noon + .seconds(11))
            #expect(withdrawn.map(\.group) == [group])
            #expect(withdrawn.map(\.user) == [user])
            #expect(try transaction.latestPath(of: user) != nil)
            try transaction.deletePaths(endedBefore: .noon + .seconds(11))
            #expect(try transaction.latestPath(of: user) == nil)
            #expect(try transaction.pathLength(1, of: user) == 0)
        }
    }
}
