internal import Gazetteer
public import Languages
internal import Tracking

/// An alert's text: on its topic in English, on channels and in apps in the reader's language.
extension AlertMessage {
    /// The text in English. Times are in UTC, as the reader's time zone is unknown.
    public var text: String { Catalogues.english.say(phrases) }

    /// The event, followed by further information.
    public var phrases: [Phrase] {
        [sentence] + [advice, journey, clock, lastSeen, position].compactMap { $0 }
    }

    private var sentence: Phrase {
        switch alert.kind {
        case .journeyStarted:
            ofJourney(.journeyStarted, somewhere: .journeyStartedSomewhere, .checkInStarted)
        case .journeyStopped:
            ofJourney(.journeyStopped, somewhere: .journeyStoppedSomewhere, .checkInStopped)
        case .journeyArrived:
            ofJourney(.journeyArrived, somewhere: .journeyArrivedSomewhere, .checkInStopped)
        case .late: ofJourney(.late, somewhere: .lateSomewhere, .checkInLate)
        case .stuck: say(.stuck)
        case .moving: say(.moving)
        case .offline: say(.offline)
        case .online: say(.online)
        case .silent: say(.silent)
        case .sos: say(.sos)
        case .sosStopped: say(.sosStopped)
        case .sosLeft: say(.sosLeft)
        case .inNeed: say(.inNeed)
        case .unanswered: say(.unanswered)
        case .assisted: say(.assisted)
        case .vitalsSilent: say(.vitalsSilentOfOther)
        case .vitalsBack: say(.vitalsBackOfOther)
        }
    }

    private func say(_ text: ServerText, _ more: [String: Phrase.Value] = [:]) -> Phrase {
        Phrase(text, more.merging(["name": .text(shownName)]) { $1 })
    }

    /// - Parameters:
    ///   - somewhere: the text for a destination without a name.
    ///   - checkIn: the text without a destination.
    private func ofJourney(_ text: ServerText, somewhere: ServerText, _ checkIn: ServerText)
        -> Phrase
    {
        let time: Phrase.Value =
            alert.eta.map { .clock($0, near: alert.at) } ?? .phrase(Phrase(.theTimeGiven))
        guard let destination = alert.destination else {
            return say(alert.eta == nil ? somewhere : checkIn, ["time": time])
        }
        guard let place = destination.name else { return say(somewhere, ["time": time]) }
        return say(text, ["place": .text(place), "time": time])
    }

    private var advice: Phrase? {
        guard alert.kind == .unanswered else { return nil }
        return number.map { Phrase(.callNumber, ["number": .text($0)]) } ?? Phrase(.callForHelp)
    }

    private var clock: Phrase? { alert.isClockWrong ? Phrase(.callClockWrong) : nil }

    private var journey: Phrase? {
        if alert.journeyWaits { return Phrase(.journeyWaits) }
        let goesOn = alert.kind == .sosStopped && alert.eta != nil
        return goesOn ? Phrase(.journeyGoesOn) : nil
    }

    /// Whether it may prompt a member to go there.
    private var asksForPosition: Bool {
        switch alert.kind {
        case .late, .offline, .silent, .sos, .sosLeft, .inNeed, .unanswered: true
        case .journeyStarted, .journeyStopped, .journeyArrived, .stuck, .moving, .online,
            .sosStopped, .assisted, .vitalsSilent, .vitalsBack:
            false
        }
    }

    private var lastSeen: Phrase? {
        guard asksForPosition || alert.kind == .stuck, let place else { return nil }
        return Phrase(.lastSeen, ["place": place.value])
    }

    /// The position and its reliability.
    private var position: Phrase? {
        guard asksForPosition else { return nil }
        guard let fix = alert.fix else { return Phrase(.noPosition) }
        let seconds = age(of: fix)
        return switch seconds {
        case ..<AlertMessage.freshness: nil
        case ..<7_200: Phrase(.positionMinutesOld, ["minutes": .number(seconds / 60)])
        case ..<172_800: Phrase(.positionHoursOld, ["hours": .number(seconds / 3_600)])
        default: Phrase(.positionDaysOld, ["count": .number(seconds / 86_400)])
        }
    }

    /// The age, in seconds, below which a position counts as current.
    private static let freshness = 120

    /// Returns the position's age at the time of the message, in seconds.
    func age(of fix: Fix) -> Int {
        Int(max(0, (saidAt - fix.takenAt).milliseconds / 1000))
    }
}

extension PlaceDescription {
    /// The value in a text, the same as on the page.
    fileprivate var value: Phrase.Value {
        switch self {
        case .inside(let city): return .text(city)
        case .near(let city, let kilometres, let direction):
            let text: ServerText =
                switch direction {
                case .north: .kilometresNorth
                case .northeast: .kilometresNortheast
                case .east: .kilometresEast
                case .southeast: .kilometresSoutheast
                case .south: .kilometresSouth
                case .southwest: .kilometresSouthwest
                case .west: .kilometresWest
                case .northwest: .kilometresNorthwest
                }
            return .phrase(Phrase(text, ["distance": .number(kilometres), "city": .text(city)]))
        }
    }
}
