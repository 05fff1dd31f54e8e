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
}
