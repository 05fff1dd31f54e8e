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
        let goesOn = try takesBackEnd(person)
        var row: FixRow?
        if let fix, goesOn || person.tracker.emergency == nil {
            do {
                row = try take(fix, from: person, device, isUrgent: true).row
            } catch {
                throw .store(error)
            }
        }
        if goesOn { try callAgain(person) } else { try beginSOS(person, row) }
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
        try done(person.tracker.alertOfSOS(at: now, settings.rules), for: person)
    }

    private static let callPause = Duration.seconds(10)

    /// - Parameter row: a fix just stored, which is the first of the path.
    func beginSOS(_ person: Person, _ row: FixRow?) throws(Refused) {
        let effects = try decided { () throws(Refusal) in
            try person.tracker.triggerSOS(at: now)
        }
        count("calls")
        try done(effects, for: person)
        if let row {
            let growth = person.tracker.addToPath(row.fix, settings.rules)
            for effect in growth {
                do { try apply(effect, to: person, newFix: row) } catch { throw .store(error) }
            }
        }
        try done(person.tracker.alertOfSOS(at: now, settings.rules), for: person)
    }

    func stopSOS(_ person: Person) throws(Refused) -> [UInt8] {
        let effects = try decided { () throws(Refusal) in try person.tracker.stopSOS(at: now) }
        try done(effects, for: person)
        return Array("{}".utf8)
    }
}
