import Testing
import Tracking

/// A person who shares and does nothing about it is reminded from time to time.
struct ReminderTests {
    private let everyHour: Rules = {
        var rules = Rules()
        rules.remindAfter = .seconds(3600)
        return rules
    }()

    @Test func `A reminder is sent once per period while sharing continues`() throws {
        try Timeline.check(
            given: Opening.online, showing: .alerts,
            """
            10:10:00 shares with family
            13:30:00
                11:10:00 reminder of sharing since 10:10:00
                12:10:00 reminder of sharing since 11:10:00
                13:10:00 reminder of sharing since 12:10:00
            13:30:00 stops sharing with family
            20:00:00
            """, rules: everyHour)
    }

    @Test func `A person's action postpones the reminder`() throws {
        try Timeline.check(
            given: Opening.online, showing: .alerts,
            """
            10:00:00 shares with friends
            10:59:59 asks
            12:00:00
                11:59:59 reminder of sharing since 10:59:59
            """, rules: everyHour)
    }

    @Test func `No reminder is sent without sharing, nor right after it resumes`() throws {
        try Timeline.check(
            given: Opening.online, showing: .alerts,
            """
            10:00:00 shares with friends
            10:30:00 stops sharing with friends
            15:00:00
            15:00:00 shares with family
            15:30:00 shares with friends
            16:00:00
                16:00:00 reminder of sharing since 15:00:00
            """, rules: everyHour)
    }

    @Test func `Reminders missed during a downtime are sent once`() throws {
        try Timeline.check(
            given: Opening.online, showing: .alerts,
            """
            10:00:00 shares with family
            10:10:00 the bridge goes deaf
            15:20:00 the bridge listens
                at once: reminder of sharing since 10:00:00
            16:20:00
                16:20:00 reminder of sharing since 15:20:00
            """, rules: everyHour)
    }

    @Test func `No reminder is sent when reminders are turned off`() throws {
        var rules = Rules()
        rules.remindAfter = .zero
        try Timeline.check(
            given: Opening.online, showing: .alerts,
            """
            10:00:00 shares with family
            999:00:00
            """, rules: rules)
    }
}
