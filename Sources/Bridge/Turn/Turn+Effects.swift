import Contract
import Store
import Tracking

extension Turn {
    /// Carries out what the core decided for anything but an ordinary fix; the tracker is saved in
    /// the same transaction.
    func apply(_ effects: [Effect], to person: Person) throws(StoreError) {
        note([.save, .schedule], person)
        for effect in effects { try apply(effect, to: person, newFix: nil) }
    }

    /// - Parameter newFix: the fix that was just stored, for effects that refer to it.
    func apply(_ effect: Effect, to person: Person, newFix: FixRow?) throws(StoreError) {
        switch effect {
        case .memberChanged(let group, let urgent):
            noteChange(of: person, in: group, isUrgent: urgent)
        case .presenceChanged(let isOnline):
            try tellPresence(of: person, isOnline ? .online : .offline)
        case .alert(let alert, let repetition):
            try raise(alert, of: person, repetition: repetition)
        case .pathBegan(let path):
            try transaction.begin(path, of: person.id)
            notePath(of: person, path.groups, from: nil)
        case .pathGrew(let number):
            guard let newFix else { preconditionFailure("a path grows by a fix") }
            try transaction.add(newFix, toPath: number, of: person.id)
            note(.pathTail, person)
        case .segmentCompleted(_, let segment, let points):
            publishSegment(of: person, segment, points)
        case .pathChanged(_, let from):
            guard let path = person.tracker.path else { return }
            if let from { return noteLatePoint(of: person, path, takenAt: from) }
            try transaction.show(path, of: person.id)
            notePath(of: person, path.groups, from: nil)
        case .pathEnded(let number, let withdrawn):
            try endPath(number, of: person, withdrawn: withdrawn)
        case .reminder(let since): try remind(person, since: since)
        case .pathWithdrawn(let number, let group):
            try transaction.withdrawPaths(from: number, of: person.id, from: group)
            notePath(of: person, [group], from: nil)
        }
    }
}
