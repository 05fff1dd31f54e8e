internal import Contract
internal import Logging
internal import MQTT
internal import Store
internal import Tracking

extension BridgeLoop {
    /// Waits until the database takes something in again, and says meanwhile what the matter is.
    ///
    /// The bridge's own connection is closed for so long: the broker keeps what was not
    /// acknowledged, and what comes.
    ///
    /// - Throws: where only a new start helps.
    func recover(from first: StoreError) throws(BridgeError) {
        let teller = StatusTeller(teller)
        let since = Clock.wall
        if let lastRecovery, ContinuousClock.now - lastRecovery < BridgeLoop.relapse {
            // The database is well but for what we want of it: the same trouble still.
            teller.say(status(StorageFailure(first), since: since))
        } else {
            recoveryPause.reset()
            trouble = nil
        }
        var wasSaid = false
        var error = first
        while !isStopped() {
            if note(error) { wasSaid = true }
            sleep(for: recoveryPause.next())
            do throws(StoreError) {
                try files.checkPlace()
                try turnLoop.engine.probe()
                if wasSaid { logger.notice("The database can be used again.") }
                break
            } catch let next {
                error = next
            }
            if files.isReplaced {
                teller.end(saying: turnLoop.status("offline"))
                throw BridgeError("Another file has taken the place of the database.")
            }
            teller.say(status(StorageFailure(error), since: since))
        }
        teller.end(saying: isStopped() ? turnLoop.status("offline") : nil)
        lastRecovery = .now
    }

    /// Once for each trouble.
    ///
    /// - Returns: whether it was said now.
    private func note(_ error: StoreError) -> Bool {
        let current = StorageFailure(error)
        guard trouble != current else { return false }
        trouble = current
        logger.error(
            "The database cannot be used: \(current.sentence). Nothing is acknowledged until it can.",
            metadata: ["reason": "\(error)"])
        return true
    }

    private func sleep(for pause: Duration) {
        let end = ContinuousClock.now + pause
        while !isStopped(), ContinuousClock.now < end { waker.wait(atMost: 200) }
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

    /// A recovery that holds so long was one.
    private static let relapse = Duration.seconds(30)

    // MARK: The broker

    /// Once for each reason, not with every attempt.
    func note(_ error: MQTTError) {
        let reason = "\(error)"
        guard lastComplaint != reason else { return }
        lastComplaint = reason
        let sentence =
            error.refusesCredentials
            ? "The broker refuses the bridge's name and password."
            : "The broker cannot be reached."
        logger.warning("\(sentence)", metadata: ["reason": "\(reason)"])
    }
}

extension MQTTError {
    /// By the codes of MQTT 3.1.1 and of MQTT 5.
    fileprivate var refusesCredentials: Bool {
        operation == .connect && [4, 5, 134, 135].contains(code)
    }
}
