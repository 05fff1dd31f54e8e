internal import Clocks
internal import Contract
internal import JSON
internal import Limits
internal import Logging
internal import MQTT
internal import Store
internal import Tracking

extension BridgeLoop {
    /// Waits until the database is writable again, reporting the problem in the meantime.
    ///
    /// The bridge's own connection stays closed until then: the broker keeps the messages that were
    /// not acknowledged, and new ones. Groups are notified of calls for help among them.
    ///
    /// - Throws: if only a restart helps.
    func recover(from first: StoreError) throws(BridgeError) {
        if turnLoop.makesRoom(after: first) { return }
        if first.cause == .superseded { throw .superseded }
        let reporters = plans.map { StatusReporter($0, waker) }
        var said: Publication?
        func say(_ publication: Publication) {
            said = publication
            for reporter in reporters { reporter.say(publication) }
        }
        func end(saying last: Publication?) {
            for reporter in reporters { reporter.end(saying: last) }
        }
        let since = Timestamp.now
        if let lastRecovery, ContinuousClock.now - lastRecovery < BridgeLoop.relapse {
            // The probe succeeds, but the bridge's work still fails: the same problem continues.
            say(status(StorageFailure(first), since: since))
        } else {
            recoveryPause.reset()
            trouble = nil
        }
        isRecovering = true
        defer { isRecovering = false }
        var wasSaid = false
        var error = first
        while goesOn() {
            if note(error) { wasSaid = true }
            sleep(for: recoveryPause.next()) {
                if let said { say(said) }
            }
            do throws(StoreError) {
                try files.checkIdentity()
                try turnLoop.engine.probe()
                // Work that failed on damage fails again, although the probe succeeds.
                if wasSaid, trouble != .damaged { logger.notice("The database can be used again.") }
                break
            } catch let next {
                error = next
            }
            if turnLoop.makesRoom(after: error) {
                return end(saying: nil)
            }
            if error.cause == .superseded {
                // The other bridge reports.
                end(saying: nil)
                throw .superseded
            }
            if files.isReplaced {
                end(saying: turnLoop.status("offline"))
                throw BridgeError("The database file was replaced.")
            }
            say(status(StorageFailure(error), since: since))
        }
        end(saying: isStopped() ? turnLoop.status("offline") : nil)
        lastRecovery = .now
    }

    /// Logs each problem once.
    ///
    /// - Returns: whether it was logged now.
    private func note(_ error: StoreError) -> Bool {
        let current = StorageFailure(error)
        guard trouble != current else { return false }
        trouble = current
        let wayOut =
            current == .damaged ? " What to do: \(Concern.databaseDamaged.wayOut)." : ""
        logger.error(
            """
            The database cannot be used: \(current.sentence). Until it can be, nothing is \
            acknowledged, and everything waits at the broker. Groups are notified of SOS \
            requests.\(wayOut)
            """,
            metadata: ["reason": "\(error)"])
        return true
    }

    /// - Parameter say: called several times per second.
    private func sleep(for pause: Duration, _ say: () -> Void) {
        let end = ContinuousClock.now + pause
        while goesOn(), ContinuousClock.now < end {
            turnLoop.announceEarly(at: .now)
            say()
            waker.wait(atMost: 100)
        }
    }

    private func status(_ trouble: StorageFailure, since: Timestamp) -> Publication {
        var publication = turnLoop.status("degraded")
        publication.payload = JSONWriter.object { json in
            json.key("status")
            json.string("degraded")
            json.key("reason")
            json.string(trouble.rawValue)
            json.key("since")
            json.time(since)
            json.key("version")
            json.string(kithVersion)
        }
        return publication
    }

    /// A recovery that lasts this long has succeeded.
    static let relapse = Duration.seconds(30)

    // MARK: The broker

    /// Logs each reason once, rather than with every attempt.
    func note(_ error: MQTTError, _ connection: BrokerConnection) {
        let reason = "\(error)"
        guard connection.lastComplaint != reason else { return }
        connection.lastComplaint = reason
        let sentence =
            if error.refusesCredentials {
                "The broker refuses the bridge's name and password."
            } else if error == .refusedSubscription {
                "The broker refuses the bridge a topic: its gate may be from an earlier version."
            } else {
                "The broker cannot be reached."
            }
        var metadata = connection.metadata
        metadata["reason"] = "\(reason)"
        logger.warning("\(sentence)", metadata: metadata)
    }
}
