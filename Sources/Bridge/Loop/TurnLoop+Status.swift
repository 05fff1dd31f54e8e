internal import Contract
internal import JSON
internal import Logging
internal import MQTT
internal import Tracking

extension TurnLoop {
    /// Returns the bridge's health as it is retained.
    func status(_ word: String) -> Publication {
        let payload = JSONWriter.object { json in
            json.key("status")
            if word == "online", let sparingSince {
                json.degraded(StorageFailure.diskFull.rawValue, since: sparingSince, calls: true)
            } else if word == "online", let damagedSince {
                // Whether a call for help touches the damage is not known.
                json.degraded(StorageFailure.damaged.rawValue, since: damagedSince, calls: false)
            } else if word == "online", let leftOutSince {
                json.degraded(
                    TurnLoop.workLeftOut, since: leftOutSince, calls: !concerns.areCallsConcerned)
            } else {
                json.string(word)
            }
            if let clockSetAt {
                json.key("clockSet")
                json.time(clockSetAt)
            }
            if word == "online" {
                if concerns.isMonitoringIdle {
                    json.key("monitoring")
                    json.string("idle")
                }
                if concerns.isDiskLow {
                    json.key("disk")
                    json.string("low")
                }
                if concerns.isDrillUnanswered {
                    json.key("drill")
                    json.string("unanswered")
                }
                if !concerns.list.isEmpty {
                    json.key("concerns")
                    json.array(concerns.list) { $0.string($1.rawValue) }
                }
                if !concerns.leftOut.isEmpty {
                    json.key("leftOut")
                    json.array(concerns.leftOut) { $0.string($1) }
                }
            }
            json.key("version")
            json.string(kithVersion)
            if word == "online", let gate = concerns.otherGate {
                json.key("gate")
                json.string(gate)
            }
        }
        return Publication(
            topic: settings.topics.string(.systemStatus), payload: payload, qos: .atLeastOnce,
            retain: true)
    }

    /// The reason in the status while the bridge does everything but some work that it leaves out.
    static let workLeftOut = "work-left-out"

    /// The last turn of a connection before the bridge ends.
    package func end(_ link: some BrokerLink) throws {
        try publisher.publish([status("offline")], link)
        link.disconnect()
        try link.flush()
    }

    /// A backup is daily; an installation of less than a day needs none yet.
    private func backupConcern(at now: Timestamp) -> Concern? {
        guard let lastBackup, let startedAt else { return nil }
        if let last = lastBackup.time { return last + Concern.backupAge < now ? .backupOld : nil }
        return engine.stopwatch() - startedAt > Concern.backupAge ? .noBackup : nil
    }

    private func certificateConcern(at now: Timestamp) -> Concern? {
        guard let look = settings.certificateEnd else { return nil }
        let since = certificate.map { now - $0.lookedAt }
        if since.map({ $0 < .zero || $0 >= TurnLoop.certificatePace }) ?? true {
            certificate = (look(), now)
        }
        guard let end = certificate?.end else { return nil }
        if end <= now { return .certificateEnded }
        return end - now < Concern.certificateLeft ? .certificateEnding : nil
    }

    private static let certificatePace = Duration.seconds(60)

    func tellConcerns(_ link: some BrokerLink, at now: Timestamp) throws {
        // What comes with the first status is in that.
        guard findConcerns(at: now), isListening else { return }
        try publisher.publish([status("online")], link)
    }

    /// - Returns: whether there is anything new.
    @discardableResult
    func findConcerns(at now: Timestamp) -> Bool {
        var new = engine.concerns(at: now, listeningSince: listeningSince ?? now)
        new.isDiskLow = disk?.isLow ?? false
        new.isDirectoryDown = directoryWatch.trouble != nil
        new.clock = sweepPermit.doubt
        new.backup = backupConcern(at: now)
        new.certificate = certificateConcern(at: now)
        new.isDamaged = engine.isDamaged
        new.isOperatorUnreachable = isOperatorUnreachable
        guard new != concerns else { return false }
        for concern in new.list where !concerns.list.contains(concern) && !concern.isLogged {
            logger.warning("\(concern.text): \(concern.wayOut).")
        }
        for concern in concerns.list where !new.list.contains(concern) && !concern.isLogged {
            logger.notice("No longer: \(concern.text).")
        }
        if new.isDamaged, damagedSince == nil {
            damagedSince = now
            logger.error(
                "\(Concern.databaseDamaged.text): \(Concern.databaseDamaged.wayOut).")
        }
        if new.leftOut != concerns.leftOut {
            leftOutSince = leftOutSince ?? now
            logger.error(
                """
                Work is left out until the next start, as the process ended over it again and again, \
                or the database rejects it.\(new.isDamaged ? "" : " Everything else goes on.")
                """, metadata: ["work": "\(new.leftOut.joined(separator: ", "))"])
        }
        concerns = new
        engine.concerns = new.list
        return true
    }
}

/// What an operator has to look into although everything goes on.
struct Concerns: Hashable {
    /// People are watched, and nothing has come of any of them for a while.
    var isMonitoringIdle = false
    /// In the last drill a way to dispatch has not answered.
    var isDrillUnanswered = false
    /// People are watched, and nobody is connected as dispatch, which is called first.
    var isDispatchAbsent = false
    /// Little room is left on the disk.
    var isDiskLow = false
    /// The version of the gate in the broker, if it is not the bridge's own.
    var otherGate: String?
    /// The names of the ``ClockWork`` that is left out.
    var leftOut: [String] = []
    /// Whether calls for help, or those who hear of them, may miss some of that.
    var areCallsConcerned = false
    var isDirectoryDown = false
    /// A message to the operator cannot be sent.
    var isOperatorUnreachable = false
    /// Something has touched damage in the database.
    var isDamaged = false
    var clock: ClockTrust.Doubt?
    /// That there is no backup, or that it is old.
    var backup: Concern?
    /// That the certificate has expired, or soon will.
    var certificate: Concern?
    /// Kinds of channels of which nothing gets through, for a reason of the operator's.
    var failing: Set<ChannelKind> = []

    /// By their names, sorted by them.
    var list: [Concern] {
        let found: [(Concern, Bool)] = [
            (.clockAhead, clock.map { !$0.isBehind } ?? false),
            (.clockBehind, clock?.isBehind ?? false), (.databaseDamaged, isDamaged),
            (.directoryDown, isDirectoryDown), (.diskLow, isDiskLow),
            (.dispatchAbsent, isDispatchAbsent), (.drillUnanswered, isDrillUnanswered),
            (.mailFailing, failing.contains(.mail)), (.monitoringIdle, isMonitoringIdle),
            (.operatorUnreachable, isOperatorUnreachable),
            (.pluginOutdated, otherGate != nil), (.pushFailing, failing.contains(.push)),
            (.workLeftOut, !leftOut.isEmpty),
        ]
        return ([backup, certificate].compactMap(\.self) + found.filter(\.1).map(\.0)).sorted {
            $0.rawValue < $1.rawValue
        }
    }
}

extension Concern {
    /// Whether what finds it says more in the log.
    fileprivate var isLogged: Bool {
        switch self {
        case .clockAhead, .clockBehind, .databaseDamaged, .directoryDown, .diskLow, .workLeftOut:
            true
        default: false
        }
    }
}

extension JSONWriter {
    /// - Parameter calls: whether calls for help are served all the same.
    fileprivate mutating func degraded(_ reason: String, since: Timestamp, calls: Bool) {
        string("degraded")
        key("reason")
        string(reason)
        key("since")
        time(since)
        key("calls")
        bool(calls)
    }
}

extension Engine {
    /// - Parameter start: since when the broker has been heard.
    func concerns(at now: Timestamp, listeningSince start: Timestamp) -> Concerns {
        let monitoring = memory.state(MonitoringState.self)
        let last = max(monitoring.evaluatedAt ?? start, start)
        return Concerns(
            isMonitoringIdle: !monitoring.people.isEmpty
                && last + settings.emergency.idleAfter <= now,
            isDrillUnanswered: memory.state(DispatchState.self).isDrillUnanswered,
            isDispatchAbsent: !monitoring.people.isEmpty
                && authentication.connections.isDispatchConnected == false
                && settings.emergency.dispatchAreas.beginsWithBroker,
            otherGate: authentication.connections.otherGate,
            leftOut: Set(leftOut.compactMap(\.name)).sorted(),
            areCallsConcerned: leftOut.contains(where: \.concernsCalls),
            failing: memory.state(ChannelState.self).failing)
    }
}
