import Contract
import JSON
import Store
import Tracking

/// Friends nearby.
extension Friends {
    func friendsNearby(_ radius: Double, from fix: Fix?, _ person: Person) throws -> [UInt8] {
        guard let place = fix?.coordinate ?? person.tracker.latest?.coordinate else {
            throw Problem(invalid: [
                .init(field: "fix", reason: "is missing, and your position is unknown")
            ])
        }
        let sharers = try transaction.sharers(with: person.id)
        let found = look(through: sharers).compactMap { row in memory.people[row.user] }
            .compactMap { Neighbour($0, from: place) }.filter { $0.distance <= radius }.sorted()
        var shown: [Person] = []
        let answer = JSONWriter.object { json in
            json.key("friends")
            json.array { json in
                for neighbour in found where json.bytes.count < Neighbour.capacity {
                    json.neighbour(neighbour)
                    shown.append(neighbour.person)
                }
            }
            json.key("total")
            json.number(found.count)
        }
        for friend in shown { try turn.noteLook(.nearby, at: friend, by: person) }
        return answer
    }
}

/// A person who shares with the requester, as seen from the requester's position.
private struct Neighbour: Comparable {
    let person: Person
    let fix: Fix
    /// Metres.
    let distance: Double
    /// Degrees clockwise from true north; nil if the positions coincide.
    let bearing: Double?

    /// Nil if the person's position is not known.
    init?(_ person: Person, from place: Coordinate) {
        guard person.tracker.pausedUntil == nil, let fix = person.tracker.shown else { return nil }
        self.person = person
        self.fix = fix
        (distance, bearing) = place.way(to: fix.coordinate)
    }

    static func < (left: Neighbour, right: Neighbour) -> Bool {
        (left.distance, left.person.name) < (right.distance, right.person.name)
    }

    static func == (left: Neighbour, right: Neighbour) -> Bool { left.person === right.person }

    /// The bytes after which no more are listed: the farthest friends would not fit into a message.
    static let capacity = 56_000
}

extension JSONWriter {
    /// Writes the distance to a decimetre, and the bearing to a tenth of a degree.
    fileprivate mutating func neighbour(_ neighbour: Neighbour) {
        object { json in
            json.person(neighbour.person, withName: true)
            json.key("distance")
            json.number((neighbour.distance * 10).rounded() / 10)
            json.key("bearing")
            if let bearing = neighbour.bearing {
                json.number((bearing * 10).rounded().truncatingRemainder(dividingBy: 3600) / 10)
            } else {
                json.null()
            }
            json.key("fix")
            json.fix(neighbour.fix)
        }
    }
}
