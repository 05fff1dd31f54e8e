import Testing
import Tracking

/// No one sees any longer where the person is, or was last.
struct TurnOffTests {
    @Test func `Every group sees sharing end and keeps no position`() throws {
        try Timeline.check(
            given: Opening.twoGroups, showing: [.states, .positions],
            """
            10:00:10 shares with family, work
                family v3: active, at 0 m
                work v3: active, at 0 m
            10:00:20 stops sharing with work
                work v4: inactive, at 0 m
            10:00:30 turns off
                family v4: inactive, no position
                work v5: inactive, no position
            10:00:40 turns off
            10:00:50 shares with family
                family v5: active, no position
            10:01:00 phone at 20 m
                family v6 at 20 m
            """)
    }

    @Test func `Fixes taken before turning off do not reappear`() throws {
        try Timeline.check(
            given: Opening.online, showing: [.states, .positions],
            """
            10:00:30 turns off
            10:00:40 shares with family
                family v3: active, no position
            10:00:50 phone at 10 m taken 09:59:59
            10:00:51 phone at 10 m taken 10:00:00
            10:00:52 phone at 12 m taken 10:00:01
                family v4 at 12 m
            """)
    }

    @Test func `Friends no longer see the position`() {
        var tracker = Tracker(user: .ann)
        tracker.startSharingWithFriends(at: Timestamp(milliseconds: 5))
        #expect(throws: Never.self) { try tracker.turnOff(at: Timestamp(milliseconds: 9)) }
        #expect(tracker.friendsSince == nil)
        #expect(!tracker.isShared)
    }

    @Test func `An SOS or a journey prevents turning off, since others rely on it`() throws {
        try Timeline.check(
            given: Opening.emergency, showing: [.states],
            """
            10:00:10 turns off
                refused: already-in-sos
            """)
        try Timeline.check(
            given: Opening.journey, showing: [.states],
            """
            10:00:10 turns off
                refused: already-on-a-journey
            """)
    }
}
