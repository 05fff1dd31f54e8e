import Testing
import Tracking

/// Who shares and does nothing about it is reminded, once in a while.
struct ReminderTests {
    private let everyHour: Rules = {
        var rules = Rules()
        rules.remindAfter = .seconds(3600)
        return rules
    }()

    @Test func `Once in each period, for as long as it goes on`() throws {
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

    @Test func `Whoever does something is reminded later`() throws {
        try Timeline.check(
            given: Opening.online, showing: .alerts,
            """
            10:00:00 shares with friends
            10:59:59 asks
            12:00:00
                11:59:59 reminder of sharing since 10:59:59
            """, rules: everyHour)
    }

    @Test func `Who shares with nobody is not reminded, and who begins again not at once`() throws {
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

    @Test func `What was missed while the bridge was away comes once`() throws {
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

    @Test func `Nobody is where it is turned off`() throws {
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
