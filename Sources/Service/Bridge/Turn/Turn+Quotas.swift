import Contract
import Tracking

extension Turn {
    /// Records data written for the person.
    func noteUsage(_ kind: Usage.Kind, bytes: Int = 0, of person: Person) {
        if person.usage.note(kind, bytes: bytes, at: now) {
            count("quotas-reached-\(kind.rawValue)")
        }
    }

    /// Refuses a request that would write more than the day's quota allows.
    func checkQuotas(for command: Command, of person: Person) throws {
        for kind in command.method.quotas where !person.usage.admits(kind, at: now) {
            throw problem(ofUsedUp: kind)
        }
    }

    func problem(ofUsedUp kind: Usage.Kind) -> Problem {
        let seconds = kind.quota.pause.milliseconds / 1000
        return Problem(
            .tooMany,
            "The daily quota of \(kind.rawValue) is used up: until \(now.nextMidnight.rfc3339) "
                + "one is accepted every \(seconds) s.")
    }
}
