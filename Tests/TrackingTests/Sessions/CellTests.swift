import Testing
import Tracking

/// The contract's table, section 6, through the tracker: the effects of each event in each state of
/// the family's session. The other group, work, is inactive unless there is an SOS.
struct CellTests {
    struct Cell: CustomTestStringConvertible {
        let event: String
        let state: State
        let effects: [String]
        /// The event right before.
        let preceding: String

        init(
            _ event: String, _ state: State, _ effects: String..., after preceding: String = ""
        ) {
            self.event = event
            self.state = state
            self.preceding = preceding.isEmpty ? "" : "10:00:05 \(preceding)"
            self.effects = effects
        }

        var testDescription: String { "\(state): \(event)" }
    }

    /// How the family's session got there.
    enum State: String {
        case inactive = ""
        case active = "10:00:01 shares with family"
        case routing = "10:00:01 travels to 1000 m by 10:01:20 with family"
        case sos = "10:00:01 triggers SOS"
    }

    static let beginning = """
        10:00:00 joins family
        10:00:00 joins work
        10:00:00 phone connects
        10:00:00 phone at 0 m
        """

    @Test(arguments: sharing + fixes + journeys + emergencies)
    func `Every event has in every state the effects of the contract's table`(_ cell: Cell) throws {
        let effects = try Timeline.effects(
            given: "\(Self.beginning)\n\(cell.state.rawValue)\n\(cell.preceding)",
            of: "10:00:10 \(cell.event)")
        #expect(effects == cell.effects)
    }

    static let sharing = [
        Cell("shares with family", .inactive, "family v3: active, at 0 m"),
        Cell("shares with family", .active),
        Cell("shares with family", .routing),
        Cell("shares with family", .sos),

        Cell("stops sharing with family", .inactive),
        Cell("stops sharing with family", .active, "family v4: inactive, at 0 m"),
        Cell(
            "stops sharing with family", .routing, "family v4: inactive, at 0 m",
            "alert to family: journey-stopped", "path 1 ends, withdrawn"),
        Cell("stops sharing with family", .sos, "refused: already-in-sos"),
    ]

    static let fixes = [
        Cell("phone at 10 m", .inactive),
        Cell("phone at 10 m", .active, "family v4 at 10 m"),
        Cell("phone at 10 m", .routing, "family v4 at 10 m", "path 1 grows"),
        Cell("phone at 10 m", .sos, "family v4 at 10 m", "work v4 at 10 m", "path 1 grows"),

        Cell("phone at 1000 m", .inactive),
        Cell("phone at 1000 m", .active, "family v4 at 1000 m"),
        Cell("phone at 1000 m", .routing, "family v4 at 1000 m", "path 1 grows"),
        Cell(
            "phone at 1000 m", .routing, "family v5: active, at 1000 m", "path 1 grows",
            "alert to family: journey-arrived", "path 1 ends, withdrawn",
            after: "phone at 990 m"),
        Cell(
            "phone at 1000 m", .sos, "family v4 at 1000 m", "work v4 at 1000 m", "path 1 grows"),
    ]

    static let journeys = [
        Cell(
            "travels to 1000 m by 11:00:00 with family", .inactive, "family v3: routing, at 0 m",
            "path 1 begins: journey, for family", "alert to family: journey-started"),
        Cell(
            "travels to 1000 m by 11:00:00 with family", .active, "family v4: routing, at 0 m",
            "path 1 begins: journey, for family", "alert to family: journey-started"),
        Cell(
            "travels to 1000 m by 11:00:00 with family", .routing,
            "refused: already-on-a-journey"),
        Cell("travels to 1000 m by 11:00:00 with family", .sos, "refused: already-in-sos"),

        Cell("stops the journey", .inactive, "refused: not-on-a-journey"),
        Cell("stops the journey", .active, "refused: not-on-a-journey"),
        Cell(
            "stops the journey", .routing, "family v4: active, at 0 m",
            "alert to family: journey-stopped", "path 1 ends, withdrawn"),
        Cell("stops the journey", .sos, "refused: not-on-a-journey"),
    ]

    static let emergencies = [
        Cell(
            "triggers SOS", .inactive, "family v3: sos, at 0 m", "work v3: sos, at 0 m",
            "path 1 begins: sos, for family, work", "alert to family: sos", "alert to work: sos"),
        Cell(
            "triggers SOS", .active, "family v4: sos, at 0 m", "work v3: sos, at 0 m",
            "path 1 begins: sos, for family, work", "alert to family: sos", "alert to work: sos"),
        Cell(
            "triggers SOS", .routing, "family v4: sos, at 0 m", "work v3: sos, at 0 m",
            "path 1 is republished, whole: sos, for family, work", "alert to family: sos",
            "alert to work: sos"),
        Cell("triggers SOS", .sos, "refused: already-in-sos"),

        Cell("stops SOS", .inactive, "refused: not-in-sos"),
        Cell("stops SOS", .active, "refused: not-in-sos"),
        Cell("stops SOS", .routing, "refused: not-in-sos"),
        Cell(
            "stops SOS", .sos, "family v4: active, at 0 m", "work v4: active, at 0 m",
            "alert to family: sos-stopped", "alert to work: sos-stopped", "path 1 ends, kept"),
    ]

    /// Requests are atomic: a refused one leaves the tracker as it was.
    @Test(arguments: [
        (State.active, "10:00:10 stops sharing with family, choir"),
        (.active, "10:00:10 shares with work, choir"),
        (.active, "10:00:10 travels to 1000 m by 11:00:00 with work, choir"),
        (.active, "10:00:10 travels to 1000 m by 10:00:10 with family"),
        (.routing, "10:00:10 extends to 10:00:10"),
        (.routing, "10:00:10 travels to 1000 m by 11:00:00 with work"),
        (.sos, "10:00:10 stops sharing with work, family"),
        (.sos, "10:00:10 extends to 11:00:00"),
    ])
    func `A refused event changes nothing`(_ state: State, _ event: String) throws {
        let before = "\(Self.beginning)\n\(state.rawValue)"
        #expect(try Timeline.effects(given: before, of: event).first?.hasPrefix("refused") == true)
        let unchanged = try Timeline.stage(after: before).tracker
        #expect(try Timeline.stage(after: "\(before)\n\(event)").tracker == unchanged)
    }
}
