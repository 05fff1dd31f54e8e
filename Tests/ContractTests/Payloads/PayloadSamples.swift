import EarlyWarning
import JSON
import Racing
import Schedules
import Testing
import Tracking

@testable import Contract

/// Samples of every payload in the reference: each optional member is in one of them, and absent
/// from another. A found place has more members than a Place.
struct PayloadSamples {
    private(set) var all: [(name: String, bytes: [UInt8])] = []

    private let id = UUIDv7(at: .now, random: (1, 2))
    private let library = Name.named("library")
    private let zone = "Europe/Ljubljana"
    private let later = Timestamp.now + .milliseconds(90_001)
    private let home: Coordinate
    private let fix: Fix
    private let rules = Rules()

    init() throws {
        home = try #require(Coordinate(latitudeE7: 460_512_345, longitudeE7: -145_000_000))
        fix = Fix(
            coordinate: home, takenAt: .now, receivedAt: .now + .seconds(1), accuracy: 4.7,
            altitude: 298.1, altitudeAccuracy: 3, heading: 359.9, speed: 1.25, battery: 71,
            sequence: 17)
        addMeasurements()
        try addMembers()
        try addAlerts()
        addMessages()
        try addRuns()
        addIncidents()
        addPlaces()
        try addReminders()
        addGeofences()
        addLinks()
        addProblems()
    }

    private mutating func add(_ name: String, _ bytes: [UInt8]) { all.append((name, bytes)) }

    private mutating func addMeasurements() {
        add("Fix", JSONWriter.value { $0.fix(fix) })
        add("Fix", JSONWriter.value { $0.fix(bareFix, asReceived: false) })
        let quantities = VitalSigns.Quantity.allCases.map { ($0, $0.range.upperBound) }
        let vitals = VitalSigns(
            takenAt: .now, receivedAt: later, Dictionary(quantities) { $1 }, consciousness: .cvpu,
            activity: .rest, sequence: 9)
        add("Vitals", JSONWriter.value { $0.vitals(vitals) })
        let one = VitalSigns(takenAt: .now, receivedAt: later, [.heartRate: 72.5])
        add("Vitals", JSONWriter.value { $0.vitals(one, isNumbered: false) })
        let none = VitalSigns(takenAt: .now, receivedAt: later, [:], activity: .sleep)
        add("Vitals", JSONWriter.value { $0.vitals(none) })
        // As devices send them.
        add("Vitals", #"{"timestamp":1777629600000,"heartRate":72}"#.bytes)
    }

    private var bareFix: Fix {
        Fix(coordinate: home, takenAt: .now, receivedAt: .now + .seconds(1))
    }

    // MARK: People

    /// In an SOS on a journey, confirmed by dispatch, offline, with a limited precision.
    private func caller() throws -> Tracker {
        var tracker = Tracker(user: UserID(rawValue: 7))
        let group = GroupID(rawValue: 1)
        _ = tracker.join(group, at: .now)
        _ = tracker.receive(fix, from: DeviceID(rawValue: 1), at: .now, rules)
        _ = try tracker.startJourney(
            to: Destination(coordinate: home, name: "Home"), eta: later, with: [group], at: .now)
        _ = try tracker.triggerSOS(at: .now + .seconds(2), rules)
        _ = tracker.noteAssistance(at: .now + .seconds(3))
        let sessions = tracker.sessions.map {
            Session(
                group: $0.group, state: $0.state, since: $0.since, sharedSince: $0.sharedSince,
                version: $0.version, until: later, precision: .street, isPaused: false)
        }
        return Tracker(
            user: tracker.user, sessions: sessions, latest: tracker.latest,
            undertaking: tracker.undertaking, friendsSince: nil,
            presence: Presence(isOnline: true, leftAt: .now), pathsBegun: 0, alertsRaised: 0,
            highestVersion: 1, attendedAt: nil, forgottenThrough: nil, storesNothing: false,
            pausedUntil: nil, pauseEndedAt: nil, sosEndedAt: nil, positionsRefusedSince: .now,
            whereabouts: tracker.whereabouts)
    }

    private mutating func addMembers() throws {
        let caller = try caller()
        add(
            "MemberState",
            MemberState(
                user: .ann, name: "Ann", tracker: caller, session: caller.sessions[0],
                rules: rules,
                profile: Profile(phone: PhoneNumber("+38612345678"), avatar: "0f"),
                responses: [AlertResponse(user: .bob, name: "Bob", kind: .coming, at: later)]
            ).payload)
        var tracker = Tracker(user: UserID(rawValue: 7))
        _ = tracker.join(GroupID(rawValue: 1), at: .now)
        func member() -> [UInt8] {
            MemberState(
                user: .ann, name: "Ann", tracker: tracker, session: tracker.sessions[0],
                rules: rules
            ).payload
        }
        add("MemberState", member())
        _ = try tracker.startJourney(
            to: nil, eta: later, with: [GroupID(rawValue: 1)], at: .now)
        add("MemberState", member())
        _ = try tracker.stopJourney(at: .now)
        _ = try tracker.startJourney(
            to: Destination(coordinate: home, radius: 120.5), eta: later,
            with: [GroupID(rawValue: 1)], at: .now)
        add("MemberState", member())
    }

    private mutating func addAlerts() throws {
        func alert(_ fix: Fix?, to destination: Destination?, eta: Timestamp?, _ flag: Bool)
            -> Alert
        {
            Alert(
                id: id, kind: .sos, group: GroupID(rawValue: 1), at: .now, fix: fix,
                destination: destination, eta: eta, journeyWaits: flag, isClockWrong: flag)
        }
        let home = Destination(coordinate: home, name: "Home")
        add(
            "Alert",
            AlertMessage(
                alert(fix, to: home, eta: later, true), group: .family, user: .ann, name: "Ann",
                acknowledgedBy: [.bob],
                responses: [AlertResponse(user: .bob, name: "Bob", kind: .called, at: later)],
                repetition: 2, number: "112", saidAt: later
            ).payload)
        add(
            "Alert",
            AlertMessage(
                alert(nil, to: nil, eta: later, false), group: .family, user: .ann, name: "Ann"
            ).payload)
        add(
            "Alert",
            AlertMessage(
                alert(fix, to: Destination(coordinate: self.home), eta: later, false),
                group: .family, user: .ann, name: "Ann"
            ).payload)
        add("Alert", ErasureAlert(id: id, group: .family).payload)
    }

    private mutating func addMessages() {
        func chat(_ kind: ChatMessage.Kind, _ from: ChatMessage.Person?, _ words: String?)
            -> [UInt8]
        {
            ChatMessage(
                id: id, group: .family, kind: kind, at: later, from: from, words: words
            ).payload
        }
        add("ChatMessage", chat(.left, .init(user: .ann, name: "Ann \"A\""), "removed"))
        add("ChatMessage", chat(.message, nil, "x"))
        let groups = Notice(
            id: id, .addedToGroup(.family, name: "Family"), about: .init(user: .ann, name: "Ann"),
            by: .bob)
        add("Notice", Notice.payload.bytes(of: (groups, isSeen: false)))
        let friend = Notice(id: id, .friendAdded, about: .init(user: .ann, name: "Ann"))
        add("Notice", friend.payload)
        add(
            "Notice",
            Notice(id: id, .removedFromGroup(.family, name: "Family", endsJourney: false)).payload)
        add(
            "Channel",
            Channel(
                id: id, kind: .mail, label: "a@example.org", news: [.sos, .alerts],
                addedAt: .now, isConfirmed: true, workedAt: later,
                failure: .init(at: later, reason: .encryption),
                quiet: QuietHours(from: 1_320, to: 420, timeZone: zone)
            ).payload)
        add(
            "Channel",
            Channel(
                id: id, kind: .push, label: "Phone", news: [], addedAt: .now, isConfirmed: false,
                workedAt: nil, failure: nil
            ).payload)
        add(
            "Passkey",
            PasskeyMessage.payload.bytes(
                of: .init(
                    id: id, label: "Passkey", isSynced: true, addedAt: .now, usedAt: later)))
        add(
            "Passkey",
            PasskeyMessage.payload.bytes(
                of: .init(id: id, label: "", isSynced: false, addedAt: .now, usedAt: nil)))
    }

    // MARK: Runs and incidents

    private mutating func addRuns() throws {
        let goal = try #require(Coordinate(latitude: 46.06, longitude: -14.5))
        func run(_ elevations: [Int], _ maximum: Int?) throws -> Run {
            Run(
                id: .named("run4"), name: "Run", organiser: "Org",
                place: .init(name: "Town", coordinate: home),
                course: try Course([home, goal], checkpoints: [100.4]), elevations: elevations,
                startsAt: .now, enrolmentClosesAt: .now - .seconds(1), endsAt: later,
                maximum: maximum, ranking: .gun)
        }
        let (full, bare) = (try run([295, -2], 500), try run([], nil))
        add("Run", Run.payload.bytes(of: (full, .on, enrolled: 3, withCourse: true)))
        add("Run", Run.payload.bytes(of: (bare, .announced, enrolled: 0, withCourse: true)))
        add("Run", Run.payload.bytes(of: (bare, .cancelled, enrolled: 0, withCourse: false)))
        var running = Runner()
        for (second, metres) in zip(0..., stride(from: -5.0, to: 60, by: 5)) {
            let latitude = 46.0512345 + metres / 111_150
            let position = try #require(Coordinate(latitude: latitude, longitude: -14.5))
            let at = Timestamp.now + .seconds(second)
            _ = running.receive(
                Fix(coordinate: position, takenAt: at, receivedAt: at), on: full.course,
                from: .now, RacingRules())
        }
        let finished = Runner(
            distance: 973.6, startedAt: .now, finishedAt: later, missed: [1], splits: [])
        func state(_ runner: Runner?, _ heartRate: Double? = nil, name: String? = nil)
            -> RunnerState
        {
            RunnerState(
                bib: 12, name: name, runner: runner, heartRate: heartRate, isOver: false,
                clock: full.clock)
        }
        add("RunnerState", state(running, 151.4, name: "R.").payload(on: full.course))
        add("RunnerState", state(finished, 151.4).payload(on: full.course))
        add("RunnerState", state(nil).payload(on: full.course))
        add(
            "RunnerState", RunnerState.payload.bytes(of: state(finished, name: "F.").shown(rank: 1))
        )
        let standings = RunnerState.standings([state(running)], by: full.clock)
        add("RunnerState", Array(standings[0].dropFirst().dropLast()))
    }

    private mutating func addIncidents() {
        func incident(_ phone: String?, _ fix: Fix?, _ events: [Incident.Event]) -> Incident {
            let score = Score(
                points: [.pulse: 3, .temperature: 1],
                extremes: [Score.Extreme(.pulse, isHigh: false)])
            return Incident(
                id: id, attempts: 2,
                details: .init(
                    alarm: Monitor.Alarm(at: .now, reason: .score, score: score), phone: phone,
                    fix: fix, toldAt: .now, events: events))
        }
        let events: [Incident.Event] = [
            .init(at: later, .acknowledged, by: "Desk 1", note: "Coming"),
            .init(at: later, .calledOff),
        ]
        let vitals = VitalSigns(takenAt: .now, receivedAt: later, [.heartRate: 31], sequence: 4)
        let condition = PatientCondition(
            age: 61, gender: .female, samples: [(vitals: vitals, device: .phone)])
        func message(_ incident: Incident, _ drill: DrillKind?, _ condition: PatientCondition?)
            -> [UInt8]
        {
            IncidentMessage(
                incident, user: "ann", name: "Ann", sender: "kith", area: "Here", number: "112",
                drill: drill, condition: condition
            ).payload
        }
        add("Incident", message(incident("+386 1", fix, events), .exercise, condition))
        add("Incident", message(incident(nil, nil, []), nil, nil))
    }

    // MARK: Places

    private mutating func addPlaces() {
        func place(_ text: String?) -> Place {
            Place(
                id: library, source: .named("town"), name: "Library", kind: text, coordinate: home,
                description: text, address: text, openingHours: text, phone: text, website: text,
                timeZone: zone)
        }
        add("Place", place("x").payload)
        add("Place", place(nil).payload)
        add(
            "found",
            Place.foundPayload.bytes(of: (place(nil), .open, nextChange: later, distance: 12.6)))
        add(
            "found",
            Place.foundPayload.bytes(of: (place(nil), .unknown, nextChange: nil, distance: nil)))
    }

    private mutating func addReminders() throws {
        let start = try #require(CivilDateTime("2026-12-24T18:00"))
        let recurrence = try Recurrence("FREQ=DAILY")
        func reminder(_ recurrence: Recurrence?, _ condition: Reminder.Condition) -> Reminder {
            Reminder(
                id: id, place: .init(id: .place(library), name: "Library", coordinate: home),
                text: "Books", start: start, timeZone: zone, recurrence: recurrence,
                condition: condition)
        }
        add("Reminder", Reminder.payload.bytes(of: (reminder(recurrence, .near(150)), later, .now)))
        add("Reminder", Reminder.payload.bytes(of: (reminder(nil, .opening), nil, nil)))
    }

    private mutating func addGeofences() {
        let fence = OwnPlace(
            id: id, name: "Home", kind: .home, circle: Geofence(centre: home, radius: 150))
        add("Geofence", OwnPlace.payload.bytes(of: (fence, .family)))
        add("Geofence", OwnPlace.payload.bytes(of: (fence, nil)))
        let rule = GeofenceRule(
            id: id, event: .notThere(by: 495),
            hours: .init(days: .init(bits: 0b10_0001), from: 480, to: 600, timeZone: zone),
            isOnce: true)
        let bare = GeofenceRule(id: id, event: .leaves, hours: nil, isOnce: false)
        let allDay = GeofenceRule(
            id: id, event: .arrives,
            hours: .init(days: .all, from: nil, to: nil, timeZone: zone), isOnce: false)
        let consents: [(user: Name, agrees: Bool?)] = [(.ann, true), (.bob, nil)]
        for message in [
            GeofenceRuleMessage(
                rule, at: fence, by: (.ann, "Ann"), watched: .user(.bob), told: .group(.family),
                consents: consents, isToConfirm: true),
            GeofenceRuleMessage(
                allDay, at: fence, by: nil, watched: .group(.work), told: .user(.ann),
                consents: consents),
            GeofenceRuleMessage(
                bare, at: fence, by: nil, watched: nil, told: nil, consents: []),
        ] {
            add("GeofenceRule", GeofenceRuleMessage.payload.bytes(of: message))
        }
    }

    private mutating func addLinks() {
        func view(_ fix: Fix?, _ destination: Destination?, _ end: SharedView.End?) -> [UInt8] {
            let journey = Journey(
                to: destination, eta: later, startedAt: .now, number: 1, isLate: true,
                stillness: Stillness(), approach: .unknown)
            return SharedView(
                name: "Ann", what: .journey, until: later, fix: fix,
                journey: fix == nil ? nil : journey, end: end
            ).payload
        }
        add("SharedView", view(fix, Destination(coordinate: home, name: "Home"), .over))
        add("SharedView", view(bareFix, Destination(coordinate: home), nil))
        add("SharedView", view(bareFix, nil, nil))
        add("SharedView", view(nil, nil, nil))
    }

    private mutating func addProblems() {
        let problem = Problem(invalid: [.init(field: "latitude", reason: "must be finite")])
        add("Problem", JSONWriter.value { $0.problem(problem) })
        add("Problem", JSONWriter.value { $0.problem(Problem(.tooOld, "x")) })
        var rejection = Rejection(topic: "a/b", problem: problem, sequences: [1, 7], again: [7])
        rejection.isTaken = true
        add("Rejection", rejection.payload)
        add("Rejection", Rejection(topic: "a/b", problem: problem).payload)
    }
}
