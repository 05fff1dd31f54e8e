import Contract
import Languages
import Store
import Tracking

/// Who says that they help somebody in an SOS.
extension Emergencies {
    /// Takes what a helper says to a call for help; after its end, nothing.
    ///
    /// - Returns: whether something has changed.
    func take(
        _ answer: EmergencyCommand.Answer, to alert: Alert, of caller: Person, by helper: Person
    ) throws(Refused) -> Bool {
        guard let emergency = caller.tracker.emergency, alert.at >= emergency.startedAt,
            let group = memory.groups[alert.group], caller.isInSOS(in: group)
        else { return false }
        let (effects, isFirst) =
            switch answer {
            case .seen: ([Effect](), false)
            case .coming: try respond(.coming, to: alert, of: caller, by: helper)
            case .called: try respond(.called, to: alert, of: caller, by: helper)
            case .notComing:
                (
                    caller.tracker.takeBackComing(
                        of: helper.id, in: group.id, settings.rules),
                    try stored { transaction throws(StoreError) in
                        try transaction.takeBackComing(
                            of: helper.id, to: caller.id, in: group.id,
                            since: emergency.startedAt, at: now)
                    }
                )
            }
        guard !effects.isEmpty || isFirst else { return false }
        note([.save, .schedule], caller)
        try done(effects, for: caller)
        // Whoever changes their mind again and again is told once of each.
        if isFirst, let news = Notice.HelperNews(answer) {
            try tell(caller, news, of: helper, alert)
        }
        return true
    }

    private func respond(
        _ kind: HelperResponse.Kind, to alert: Alert, of caller: Person, by helper: Person
    ) throws(Refused) -> (effects: [Effect], isFirst: Bool) {
        let isFirst = try stored { transaction throws(StoreError) in
            try transaction.respond(kind, to: alert.id, by: helper.id, at: now)
        }
        let response = HelperResponse(user: helper.id, group: alert.group, kind: kind, at: now)
        return (caller.tracker.respond(response), isFirst)
    }

    /// The person in need knows it on the page, on their channels, and in an OwnTracks app.
    private func tell(
        _ caller: Person, _ news: Notice.HelperNews, of helper: Person, _ alert: Alert
    ) throws(Refused) {
        try stored { _ throws(StoreError) in
            let name = memory.groups[alert.group].map { helper.distinctName(in: $0) }
            let news = Notice.News.helper(news, alert: alert.id)
            try areas.notices.add(news, for: caller, about: helper, named: name)
            guard let place = caller.tracker.visibleFix(in: alert.group) else { return }
            let about = Notice.Person(user: helper.name, name: name ?? helper.displayName)
            for phrase in Notice(id: alert.id, news, about: about).phrases(for: caller.name) {
                try areas.ownTracks.tell(caller, phrase, of: helper, at: place)
            }
        }
    }

    /// The name of a helper has changed: whoever they help is shown anew.
    func noteName(of helper: Person) throws(Refused) {
        for other in helper.acquaintances.values.sorted(by: { $0.id < $1.id }) {
            guard let emergency = other.tracker.emergency,
                emergency.responses.contains(where: { $0.user == helper.id })
            else { continue }
            try done(other.tracker.changeAppearance(), for: other)
        }
    }
}

extension Notice.HelperNews {
    fileprivate init?(_ answer: EmergencyCommand.Answer) {
        switch answer {
        case .seen: return nil
        case .coming: self = .coming
        case .called: self = .called
        case .notComing: self = .notComing
        }
    }
}

extension Memory {
    /// Helpers with their names; of many, those who said so first.
    func named(_ responses: [HelperResponse]) -> [AlertResponse] {
        responses.prefix(AlertResponse.maximumNamed).compactMap { response in
            people[response.user].map { helper in
                AlertResponse(
                    user: helper.name,
                    name: groups[response.group].map { helper.distinctName(in: $0) }
                        ?? helper.displayName,
                    kind: response.kind, at: response.at)
            }
        }
    }
}
