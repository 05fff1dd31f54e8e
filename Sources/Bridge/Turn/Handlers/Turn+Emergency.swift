import Contract
import Store
import Tracking

extension Turn {
    /// Reaches all groups of the person with one request.
    ///
    /// - Parameter refused: what was wrong with the position that came along; it does not stop
    ///   the SOS.
    func triggerSOS(_ person: Person, _ device: Device, _ fix: Fix?, refused: Problem? = nil)
        throws(Refused) -> [UInt8]
    {
        var row: FixRow?
        if let fix, person.tracker.emergency == nil {
            do {
                row = try take(fix, from: person, device, isUrgent: true).row
            } catch {
                throw .store(error)
            }
        }
        try beginSOS(person, row)
        return JSONWriter.object { json in
            json.key("state")
            json.string("sos")
            if let refused {
                json.key("fixRefused")
                json.problem(refused)
            }
        }
    }

    /// - Parameter row: a fix just stored, which is the first of the path.
    func beginSOS(_ person: Person, _ row: FixRow?) throws(Refused) {
        let effects = try decided { () throws(Refusal) in
            try person.tracker.triggerSOS(at: now)
        }
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
