import Contract
import EarlyWarning
import JSON
import Tracking

extension Document {
    /// Returns the text to be encrypted, as it contains measurements.
    static func text(_ monitored: Monitored) -> String {
        text { json in
            json.member(DocumentKey.monitor, monitored.monitor) { $0.monitor($1) }
            json.members(
                DocumentKey.thresholds, monitored.thresholds.sorted { $0.key < $1.key }
            ) { json, own in
                json.member(DocumentKey.parameter, own.key.rawValue)
                json.member(DocumentKey.low, own.value.low)
                json.member(DocumentKey.high, own.value.high)
            }
            json.member(DocumentKey.phone, monitored.phone)
            if let groups = monitored.groups {
                json.key(DocumentKey.groups)
                json.array(groups) { $0.number($1.rawValue) }
            }
        }
    }

    static func monitored(_ text: String) throws -> Monitored {
        let object = try object(text)
        var thresholds: [Parameter: OwnThreshold] = [:]
        for own in try object.objects(
            DocumentKey.thresholds, { $0 })
        {
            let parameter: Parameter = try own.word(DocumentKey.parameter)
            thresholds[parameter] = OwnThreshold(
                low: try own.number(ifPresent: DocumentKey.low),
                high: try own.number(ifPresent: DocumentKey.high))
        }
        return Monitored(
            monitor: try Monitor(object.object(DocumentKey.monitor)), thresholds: thresholds,
            phone: try object.string(ifPresent: DocumentKey.phone),
            groups: try object.values(ifPresent: DocumentKey.groups)?.map { value in
                GroupID(rawValue: try object.required(value.integer))
            })
    }
}

// MARK: Writing

extension JSONWriter {
    fileprivate mutating func monitor(_ monitor: Monitor) {
        switch monitor.state {
        case .watching: break
        case .asked(let question):
            member(DocumentKey.asked, question) { json, question in
                json.member(DocumentKey.at, question.askedAt)
                json.member(DocumentKey.deadline, question.deadline)
                json.member(
                    DocumentKey.judgedAt,
                    question.judgedAt == question.askedAt ? nil : question.judgedAt)
                json.member(DocumentKey.calmSince, question.calmSince)
            }
        case .inNeed(let alarm): member(DocumentKey.inNeed, alarm) { $0.alarm($1) }
        case .assisted(let since): member(DocumentKey.assistedAt, since)
        }
        member(DocumentKey.accepted, monitor.accepted) { json, accepted in
            json.member(DocumentKey.total, Int64(accepted.total))
            json.extremes(accepted.extremes)
            json.member(DocumentKey.until, accepted.until)
            if !accepted.beyond.isEmpty {
                json.key(DocumentKey.beyondExertion)
                json.array(accepted.beyond.sorted()) { $0.string($1.rawValue) }
            }
        }
        member(DocumentKey.heardAt, monitor.silence.heardAt)
        member(DocumentKey.toldPerson, monitor.silence.hasToldPerson)
        member(DocumentKey.toldGroups, monitor.silence.hasToldGroups)
        let (interval, wasAsked) = (monitor.silence.interval, monitor.silence.wasAsked)
        member(
            DocumentKey.interval, interval == Silence.unknown ? nil : interval.milliseconds)
        if !wasAsked { member(DocumentKey.wasAsked, wasAsked) }
        member(DocumentKey.pressingSince, monitor.pressingSince)
        let readings = monitor.readings
        member(DocumentKey.exertion, readings.exertion)
        members(DocumentKey.readings, readings.newest.sorted { $0.key < $1.key }) { json, entry in
            json.member(DocumentKey.parameter, entry.key.rawValue)
            json.member(DocumentKey.value, entry.value.value)
            json.member(DocumentKey.takenAt, entry.value.takenAt)
        }
        members(DocumentKey.extremesSince, readings.extremeSince.sorted { $0.key < $1.key }) {
            json, entry in
            json.extreme(entry.key)
            json.member(DocumentKey.at, entry.value)
            json.member(DocumentKey.isRepeated, readings.repeated.contains(entry.key))
        }
    }

    mutating func alarm(_ alarm: Monitor.Alarm) {
        member(DocumentKey.at, alarm.at)
        member(DocumentKey.reason, alarm.reason.rawValue)
        members(DocumentKey.points, alarm.score.points.sorted { $0.key < $1.key }) { json, entry in
            json.member(DocumentKey.parameter, entry.key.rawValue)
            json.member(DocumentKey.total, Int64(entry.value))
        }
        extremes(alarm.score.extremes)
    }

    private mutating func extremes(_ extremes: Set<Score.Extreme>) {
        members(DocumentKey.extremes, extremes.sorted()) { json, extreme in json.extreme(extreme) }
    }

    private mutating func extreme(_ extreme: Score.Extreme) {
        member(DocumentKey.parameter, extreme.parameter.rawValue)
        member(DocumentKey.isHigh, extreme.isHigh)
    }
}

// MARK: Reading

extension Monitor {
    fileprivate init(_ object: DocumentObject) throws {
        var state = State.watching
        if let asked = try object.object(
            ifPresent: DocumentKey.asked, { try Question($0) })
        {
            state = .asked(asked)
        } else if let alarm = try object.object(
            ifPresent: DocumentKey.inNeed, { try Alarm($0) })
        {
            state = .inNeed(alarm)
        } else if let since = try object.time(ifPresent: DocumentKey.assistedAt) {
            state = .assisted(since: since)
        }
        self.init(
            state: state, readings: try Readings(object),
            accepted: try object.object(ifPresent: DocumentKey.accepted) { object in
                Accepted(
                    total: try object.integer(DocumentKey.total),
                    extremes: try Score.extremes(in: object),
                    until: try object.time(DocumentKey.until),
                    beyond: Set(
                        try object.values(ifPresent: DocumentKey.beyondExertion)?
                            .compactMap { $0.text.flatMap { Parameter(rawValue: $0) } } ?? []))
            },
            silence: Silence(
                heardAt: try object.time(DocumentKey.heardAt),
                hasToldPerson: try object.bool(DocumentKey.toldPerson),
                hasToldGroups: try object.bool(DocumentKey.toldGroups),
                interval: try object.integer(ifPresent: DocumentKey.interval)
                    .map { .milliseconds($0) } ?? Silence.unknown,
                // Data stored by an earlier Kith may be hours old.
                wasAsked: try object.bool(ifPresent: DocumentKey.wasAsked) ?? true),
            pressingSince: try object.time(ifPresent: DocumentKey.pressingSince))
    }
}

extension Monitor.Question {
    fileprivate init(_ object: DocumentObject) throws {
        self.init(
            askedAt: try object.time(DocumentKey.at),
            deadline: try object.time(DocumentKey.deadline),
            judgedAt: try object.time(ifPresent: DocumentKey.judgedAt),
            calmSince: try object.time(ifPresent: DocumentKey.calmSince))
    }
}

extension Monitor.Alarm {
    init(_ object: DocumentObject) throws {
        var points: [Parameter: Int] = [:]
        for entry in try object.objects(
            DocumentKey.points, { $0 })
        {
            points[try entry.word(DocumentKey.parameter)] = try entry.integer(DocumentKey.total)
        }
        self.init(
            at: try object.time(DocumentKey.at), reason: try object.word(DocumentKey.reason),
            score: Score(points: points, extremes: try Score.extremes(in: object)))
    }
}

extension Readings {
    fileprivate init(_ object: DocumentObject) throws {
        var newest: [Parameter: Reading] = [:]
        for entry in try object.objects(
            DocumentKey.readings, { $0 })
        {
            let parameter: Parameter = try entry.word(DocumentKey.parameter)
            newest[parameter] = Reading(
                parameter, try entry.required(entry.number(ifPresent: DocumentKey.value)),
                at: try entry.time(DocumentKey.takenAt))
        }
        var extremes: [Score.Extreme: Timestamp] = [:]
        var repeated: Set<Score.Extreme> = []
        for entry in try object.objects(
            DocumentKey.extremesSince, { $0 })
        {
            let extreme = try Score.Extreme(entry)
            extremes[extreme] = try entry.time(DocumentKey.at)
            if try entry.bool(DocumentKey.isRepeated) { repeated.insert(extreme) }
        }
        self.init(
            newest: newest, extremeSince: extremes, repeated: repeated,
            exertion: try object.time(ifPresent: DocumentKey.exertion))
    }
}

extension Score {
    fileprivate static func extremes(in object: DocumentObject) throws -> Set<Extreme> {
        Set(
            try object.objects(DocumentKey.extremes) { try Extreme($0) })
    }
}

extension Score.Extreme {
    fileprivate init(_ object: DocumentObject) throws {
        self.init(
            try object.word(DocumentKey.parameter), isHigh: try object.bool(DocumentKey.isHigh))
    }
}
