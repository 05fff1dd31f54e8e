import Contract
import Languages
import Store
import Tracking

/// Helpers in an SOS.
extension Emergencies {
    /// Handles a helper's response to a call for help; ignored after its end.
    ///
    /// - Returns: whether something has changed.
    func take(
        _ answer: EmergencyCommand.Answer, to alert: Alert, of caller: Person, by helper: Person
    ) throws -> Bool {
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
                    try transaction.takeBackComing(
                        of: helper.id, to: caller.id, in: group.id, since: emergency.startedAt,
                        at: now)
                )
            }
        guard !effects.isEmpty || isFirst else { return false }
        note([.save, .schedule], caller)
        try turn.apply(effects, to: caller)
        // Each response is notified only once, however often the helper changes their mind.
        if isFirst, let news = Notice.HelperNews(answer) {
            try tell(caller, news, of: helper, alert)
        }
        return true
    }

    private func respond(
        _ kind: HelperResponse.Kind, to alert: Alert, of caller: Person, by helper: Person
    ) throws -> (effects: [Effect], isFirst: Bool) {
        let isFirst = try transaction.respond(kind, to: alert.id, by: helper.id, at: now)
        let response = HelperResponse(user: helper.id, group: alert.group, kind: kind, at: now)
        return (caller.tracker.respond(response), isFirst)
    }

    /// Notifies the person in need on the page, on their channels, and in an OwnTracks app.
    private func tell(
        _ caller: Person, _ news: Notice.HelperNews, of helper: Person, _ alert: Alert
    ) throws {
        let name = memory.groups[alert.group].map { helper.distinctName(in: $0) }
        let news = Notice.News.helper(news, alert: alert.id)
        try areas.notices.add(news, for: caller, about: helper, named: name)
        guard let place = caller.tracker.visibleFix(in: alert.group) else { return }
        let about = Notice.Person(user: helper.name, name: name ?? helper.displayName)
        for phrase in Notice(id: alert.id, news, about: about).phrases(for: caller.name) {
            for area in areas.all {
                try area.announce(phrase, about: helper, to: caller, at: place)
            }
        }
    }

    /// Republishes the members in need after names in the group have changed: a helper is shown
    /// with the user name while another member's name looks the same.
    func noteNames(in group: Group) throws {
        for caller in look(through: group.members) {
            guard let emergency = caller.tracker.emergency,
                emergency.responses.contains(where: { $0.group == group.id })
            else { continue }
            try turn.apply(caller.tracker.changeAppearance(), to: caller)
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
    /// Returns helpers with their names; if there are many, the first to respond.
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
