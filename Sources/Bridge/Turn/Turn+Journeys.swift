import Contract
import Store
import Tracking

extension Turn {
    func startJourney(
        _ selection: Command.GroupSelection, _ destination: Destination, _ eta: Timestamp,
        _ person: Person
    ) throws(Refused) -> [UInt8] {
        let groups = try groups(selection, of: person)
        let effects = try decided { () throws(Refusal) in
            try person.tracker.startJourney(
                to: destination, eta: eta, with: groups.map(\.id), at: now)
        }
        try done(effects, for: person)
        return journey(of: person)
    }

    func extendJourney(_ eta: Timestamp, _ person: Person) throws(Refused) -> [UInt8] {
        let effects = try decided { () throws(Refusal) in
            try person.tracker.extendJourney(eta: eta, at: now)
        }
        try done(effects, for: person)
        return journey(of: person)
    }

    func stopJourney(_ person: Person) throws(Refused) -> [UInt8] {
        let effects = try decided { () throws(Refusal) in
            try person.tracker.stopJourney(at: now)
        }
        try done(effects, for: person)
        return Array("{}".utf8)
    }

    private func journey(of person: Person) -> [UInt8] {
        JSONWriter.object { json in
            json.key("journey")
            if let journey = person.tracker.journey {
                json.journey(journey, from: person.tracker.latest, settings.rules)
            } else {
                json.null()
            }
        }
    }

    // MARK: Emergency

    /// Reaches all groups of the person with one request.
    ///
    /// - Parameter refused: what was wrong with the position that came along; it does not stop
    ///   the SOS.
    func triggerSOS(_ person: Person, _ device: Device, _ fix: Fix?, refused: Problem? = nil)
        throws(Refused) -> [UInt8]
    {
        var row: FixRow?
        if let fix, person.tracker.emergency == nil {
            do { row = try take(fix, from: person, device) } catch { throw .store(error) }
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
