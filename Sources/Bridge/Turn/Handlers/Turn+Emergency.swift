import Contract
import Store
import Tracking

extension Turn {
    /// Reaches all groups of the person with one request, also where an end of the SOS waits.
    ///
    /// - Parameter refused: what was wrong with the position that came along; it does not stop
    ///   the SOS.
    func callForHelp(_ person: Person, _ device: Device, _ fix: Fix?, refused: Problem? = nil)
        throws(Refused) -> [UInt8]
    {
        if try takesBackEnd(person) {
            if let fix {
                _ = try stored { _ throws(StoreError) in
                    try take(fix, from: person, device, isUrgent: true)
                }
            }
            try callAgain(person)
        } else {
            try beginSOS(person, device, fix)
        }
        return JSONWriter.object { json in
            json.key("state")
            json.string("sos")
            if let refused {
                json.key("fixRefused")
                json.problem(refused)
            }
        }
    }

    /// Takes back an end of the SOS that the person has asked for and that was not done yet: the
    /// SOS has ended for nobody.
    ///
    /// - Returns: whether the person is in an SOS that was to end.
    func takesBackEnd(_ person: Person) throws(Refused) -> Bool {
        let hadEnds = try stored { _ throws(StoreError) in try takeBackEnds(of: person) }
        return hadEnds && person.tracker.emergency != nil
    }

    /// Tells the groups again of an SOS that goes on; not at once after the last time, as who ends
    /// and calls in turn would have it told without an end.
    func callAgain(_ person: Person) throws(Refused) {
        guard let emergency = person.tracker.emergency,
            now < emergency.calledAt || now >= emergency.calledAt + Turn.callPause
        else { return }
        count("calls")
        try done(person.tracker.callAgain(at: now, settings.rules), for: person)
    }

    private static let callPause = Duration.seconds(10)

    /// - Parameter fix: where the person is; it counts also where they have no group to call.
    /// - Returns: what became of it.
    @discardableResult
    func beginSOS(_ person: Person, _ device: Device, _ fix: Fix?) throws(Refused) -> Taking? {
        guard person.tracker.emergency == nil else {
            throw .problem(Problem(Refusal.alreadyInSOS))
        }
        let taking = try stored { _ throws(StoreError) in
            try fix.map { fix throws(StoreError) in
                try store(fix, from: person, device, isUrgent: true)
            }
        }
        guard let row = taking?.row else {
            let effects = try decided { () throws(Refusal) in
                try person.tracker.triggerSOS(at: now, settings.rules)
            }
            count("calls")
            try done(effects, for: person)
            return taking
        }
        let effects: [Effect]
        do throws(Refusal) {
            effects = try person.tracker.triggerSOS(
                with: row.fix, from: device.id, at: now, settings.rules)
        } catch {
            try stored { _ throws(StoreError) in try receive(row, from: person) }
            throw .problem(Problem(error))
        }
        count("calls")
        try stored { _ throws(StoreError) in try apply(effects, of: row, to: person) }
        return taking
    }

    func stopSOS(_ person: Person) throws(Refused) -> [UInt8] {
        let effects = try decided { () throws(Refusal) in try person.tracker.stopSOS(at: now) }
        try done(effects, for: person)
        return Array("{}".utf8)
    }
}
