internal import Contract
internal import JSON
internal import Logging
internal import MQTT
internal import Tracking

extension TurnLoop {
    /// Returns the bridge's retained health message.
    func status(_ word: String) -> Publication {
        let payload = JSONWriter.object { json in
            json.key("status")
            if word == "online", let sparingSince {
                json.degraded(StorageFailure.diskFull.rawValue, since: sparingSince, calls: true)
            } else if word == "online", let damagedSince {
                // It is not known whether calls for help touch the damage.
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

    /// Publishes the status again to a broker if another was published there.
    func repeatStatus(unless seen: [UInt8], broker number: Int) throws {
        let own = status("online")
        guard brokers[number].isListening, seen != own.payload else { return }
        try brokers[number].publish(own)
    }

    /// The status reason while the bridge skips some work and does everything else.
    static let workLeftOut = "work-left-out"

    /// Runs a connection's last turn before the bridge ends.
    package func end() throws {
        for broker in brokers {
            try broker.publish(status("offline"))
            broker.disconnect()
            try broker.flush(atMost: hasSeveralBrokers ? .seconds(1) : nil)
        }
    }

    /// Checks the daily backup; an installation of less than a day needs none yet.
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

    func tellConcerns(at now: Timestamp) throws {
        // Initial concerns are part of the first status.
        if findConcerns(at: now) { try publishStatus() }
    }

    /// - Returns: whether anything has changed.
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
        new.isBrokerLost = brokers.contains(where: \.isForgotten)
        new.areRightsBehind = brokers.contains {
            $0.isConnected && $0.publisher.rightsCheck?.isBehind == true
        }
        guard new != concerns else { return false }
        for concern in new.list where !concerns.list.contains(concern) && !concern.isLogged {
            logger.warning("\(concern.text): \(concern.wayOut).")
        }
        for concern in concerns.list where !new.list.contains(concern) && !concern.isLogged {
            logger.notice("Resolved: \(concern.text).")
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
                Work is skipped until the next start: it repeatedly crashed the process, \
                or the database rejects it.\(new.isDamaged ? "" : " Everything else continues.")
                """, metadata: ["work": "\(new.leftOut.joined(separator: ", "))"])
        }
        concerns = new
        engine.concerns = new.list
        return true
    }
}

/// Problems for the operator to investigate although the service runs.
struct Concerns: Hashable {
    /// People are monitored, and no vital signs of any of them have been received for a while.
    var isMonitoringIdle = false
    /// A way to dispatch has not answered in the last drill.
    var isDrillUnanswered = false
    /// People are monitored, and no client is connected as dispatch, which is called first.
    var isDispatchAbsent = false
    /// Disk space is low.
    var isDiskLow = false
    /// The version of the broker's gate, if it differs from the bridge's.
    var otherGate: String?
    /// The names of skipped ``ClockWork``.
    var leftOut: [String] = []
    /// Whether the skipped work may affect calls for help or their recipients.
    var areCallsConcerned = false
    var isDirectoryDown = false
    /// A message to the operator cannot be sent.
    var isOperatorUnreachable = false
    /// One of several brokers has been away for a while.
    var isBrokerLost = false
    /// A gate lacks a change of rights.
    var areRightsBehind = false
    /// Work has touched damage in the database.
    var isDamaged = false
    var clock: ClockTrust.Doubt?
    /// A missing or outdated backup.
    var backup: Concern?
    /// An expired or soon expiring certificate.
    var certificate: Concern?
    /// Channel kinds on which nothing is delivered, for reasons on the operator's side.
    var failing: Set<ChannelKind> = []

    /// The concerns, sorted by name.
    var list: [Concern] {
        let found: [(Concern, Bool)] = [
            (.brokerLost, isBrokerLost), (.clockAhead, clock.map { !$0.isBehind } ?? false),
            (.clockBehind, clock?.isBehind ?? false), (.databaseDamaged, isDamaged),
            (.directoryDown, isDirectoryDown), (.diskLow, isDiskLow),
            (.dispatchAbsent, isDispatchAbsent), (.drillUnanswered, isDrillUnanswered),
            (.mailFailing, failing.contains(.mail)), (.monitoringIdle, isMonitoringIdle),
            (.operatorUnreachable, isOperatorUnreachable),
            (.pluginOutdated, otherGate != nil), (.pushFailing, failing.contains(.push)),
            (.rightsBehind, areRightsBehind), (.workLeftOut, !leftOut.isEmpty),
        ]
        return ([backup, certificate].compactMap(\.self) + found.filter(\.1).map(\.0)).sorted {
            $0.rawValue < $1.rawValue
        }
    }
}

extension Concern {
    /// Whether the detecting code logs more details.
    fileprivate var isLogged: Bool {
        switch self {
        case .clockAhead, .clockBehind, .databaseDamaged, .directoryDown, .diskLow, .workLeftOut:
            true
        default: false
        }
    }
}

extension JSONWriter {
    /// - Parameter calls: whether calls for help are still served.
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
    /// - Parameter start: since when the bridge has been listening.
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
