public import Languages
internal import Tracking

extension Notice {
    /// A sentence for its reader, for where no page makes one.
    ///
    /// - Parameter reader: whom it is for.
    public func phrases(for reader: Name) -> [Phrase] {
        switch news {
        case .addedToGroup(_, let group): [added(to: group, reader)]
        case .removedFromGroup(_, let group, let endsJourney):
            [
                doneBy(
                    reader, group, .removedFromGroup, .removedFromGroupBy, .removedFromGroupByYou)
            ] + (endsJourney ? [Phrase(.nobodyFollows)] : [])
        case .observerAdded(_, let group, _, let label):
            [
                doneBy(
                    reader, group, .observerAdded, .observerAddedBy, .observerAddedByYou,
                    ["label": .text(label)])
            ]
        case .invitedToGroup(_, let group):
            [doneBy(reader, group, .invitedToGroup, .invitedToGroupBy, .invitedToGroupByYou)]
        case .maintenance(let from, let to, let text, _, let isLate, let isMoved):
            (isMoved ? [Phrase(.maintenanceMoved)] : []) + [
                Phrase(
                    .maintenance,
                    [
                        "from": .clock(from, near: nil), "to": .clock(to, near: nil),
                        "text": .text(text),
                    ])
            ] + (isLate ? [Phrase(.announcedLate)] : [])
        case .maintenanceCancelled(let from, let to):
            [
                Phrase(
                    .maintenanceCancelled,
                    ["from": .clock(from, near: nil), "to": .clock(to, near: nil)])
            ]
        default: [sentence]
        }
    }

    private func added(to group: String, _ reader: Name) -> Phrase {
        guard let about, about.user != reader else {
            return doneBy(reader, group, .addedToGroup, .addedToGroupBy, .addedToGroupByYou)
        }
        return doneBy(
            reader, group, .otherAddedToGroup, .otherAddedToGroupBy, .otherAddedToGroupByYou)
    }

    /// Says by whom, if that is known.
    private func doneBy(
        _ reader: Name, _ group: String, _ byNobody: ServerText, _ bySomebody: ServerText,
        _ byReader: ServerText, _ more: [String: Phrase.Value] = [:]
    ) -> Phrase {
        var values: [String: Phrase.Value] = ["group": .text(group), "name": other]
        values.merge(more) { given, _ in given }
        guard let by else { return Phrase(byNobody, values) }
        guard by != reader else { return Phrase(byReader, values) }
        values["by"] = .text(by.text)
        return Phrase(bySomebody, values)
    }

    private var other: Phrase.Value {
        about.map { .text($0.name) } ?? .phrase(Phrase(.somebody))
    }

    private var sentence: Phrase {
        let (text, values) = words
        return Phrase(text, values.merging(["name": other]) { given, _ in given })
    }

    private var words: (ServerText, [String: Phrase.Value]) {
        switch news {
        case .addedToGroup, .removedFromGroup, .invitedToGroup, .maintenance, .maintenanceCancelled,
            .observerAdded:
            preconditionFailure("these take more than one text")
        case .friendAdded: (.friendAdded, [:])
        case .locationShared: (.locationShared, [:])
        case .sharingReminder(_, let groups, let friends):
            (
                .sharingReminder,
                [
                    "groups": .phrase(Phrase(.groupCount, ["count": .number(groups.count)])),
                    "friends": .phrase(Phrase(.friendCount, ["count": .number(friends)])),
                ]
            )
        case .sharingEnded(_, let group): (.sharingEnded, ["group": .text(group)])
        case .observerEnded(_, let group, _, let label):
            (.observerEnded, ["group": .text(group), "label": .text(label)])
        case .newLogin(let device): (.newLogin, ["device": .text(device.text)])
        case .clockWrong(let device, let ahead): clockWrong(device, ahead)
        case .callOver: (.callOver, [:])
        case .loggedOut(let device, let why): (why.text, ["device": .text(device.text)])
        case .passwordChanged: (.passwordChanged, [:])
        case .passwordForgotten: (.passwordForgotten, [:])
        case .emailChanged: (.emailChanged, [:])
        case .secondFactor(let isOn): (isOn ? .secondFactorOn : .secondFactorOff, [:])
        case .passkey(let label, let isAdded):
            (isAdded ? .passkeyAdded : .passkeyRemoved, ["label": .text(label)])
        case .channel(let label, let isAdded):
            (isAdded ? .channelAdded : .channelRemoved, ["label": .text(label)])
        case .channelLost(let label): (.channelLost, ["label": .text(label)])
        case .consentRequested(_, _, let name): (.consentRequested, ["name": .text(name)])
        case .numberClaimed: (.numberClaimed, [:])
        case .serviceAdded(_, let name): (.serviceAdded, ["name": .text(name)])
        case .consentGiven: (.consentGiven, [:])
        case .serviceEnded(_, let name, let company):
            (.serviceEnded, ["name": .text(name), "company": .text(company)])
        case .dataDeleted: (.dataDeleted, [:])
        case .vitalsEnded: (.vitalsEnded, [:])
        case .consentRefused: (.consentRefused, [:])
        case .consentRevoked: (.consentRevoked, [:])
        case .areYouAllRight(let deadline, _): (.areYouAllRight, ["time": .seconds(deadline)])
        case .questionOver: (.questionOver, [:])
        case .helpCalled: (.helpCalled, [:])
        case .help(let news, _): (news.text, [:])
        case .helper(let news, _): (news.text, [:])
        case .vitalsSilent: (.vitalsSilent, [:])
        case .vitalsBack: (.vitalsBack, [:])
        case .monitoring(let change): (change.text, [:])
        case .runCancelled(_, let name): (.runCancelled, ["run": .text(name)])
        case .runChanged(_, let name): (.runChanged, ["run": .text(name)])
        case .runStarting(_, let name, let start):
            (.runStarting, ["run": .text(name), "time": clock(start)])
        case .reminder(_, _, let name, let text, _):
            (.reminder, ["place": .text(name), "text": .text(text)])
        case .placeCrossed(_, let name, let crossing, let at):
            (
                crossing == .arrived ? .placeArrived : .placeLeft,
                ["place": .text(name), "time": clock(at)]
            )
        case .placeMissed(_, let name, let at, let isKnown, _):
            (
                isKnown ? .placeMissed : .placeMissedUnknown,
                ["place": .text(name), "time": clock(at)]
            )
        case .placeRule(_, let place, let change): (change.text, ["place": .text(place)])
        case .placeChanged(let change): changed(change)
        case .nobodyLeft(let isRemoverThere): (isRemoverThere ? .oneLeft : .nobodyLeft, [:])
        }
    }

    private func changed(_ change: Notice.PlaceChange) -> (ServerText, [String: Phrase.Value]) {
        (
            change.rule == nil ? .placeChanged : .placeChangedConfirm,
            [
                "was": .text(change.was), "place": .text(change.name),
                "metres": .number(change.metres), "radius": .number(change.radius),
                "before": .number(change.radiusWas),
            ]
        )
    }

    private func clockWrong(_ device: Name, _ ahead: Duration?) -> (
        ServerText, [String: Phrase.Value]
    ) {
        guard let ahead else { return (.clockWrong, ["device": .text(device.text)]) }
        let minutes = (abs(ahead.milliseconds / 1000) + 30) / 60
        guard minutes <= Notice.mostMinutes else {
            return (.clockCorrected, ["device": .text(device.text)])
        }
        return (
            ahead > .zero ? .clockFast : .clockSlow,
            ["device": .text(device.text), "minutes": .number(Int(clamping: minutes))]
        )
    }

    /// Nobody wants to know in minutes what is more than two days.
    private static let mostMinutes: Int64 = 2 * 24 * 60

    /// The time alone: it is near.
    private func clock(_ time: Timestamp) -> Phrase.Value { .clock(time, near: time) }
}

extension Notice.Ending {
    fileprivate var text: ServerText {
        switch self {
        case .room: .loggedOutForRoom
        case .unused: .loggedOutUnused
        case .left: .loggedOutLeft
        case .unconfirmed: .loggedOutUnconfirmed
        }
    }
}

extension Notice.MonitoringChange {
    fileprivate var text: ServerText {
        switch self {
        case .began: .monitoringBegan
        case .changed: .monitoringChanged
        case .ended: .monitoringEnded
        }
    }
}

extension Notice.RuleChange {
    fileprivate var text: ServerText {
        switch self {
        case .asked: .placeRuleAsked
        case .agreed: .placeRuleAgreed
        case .refused: .placeRuleRefused
        case .ended: .placeRuleEnded
        }
    }
}

extension Notice.HelpNews {
    fileprivate var text: ServerText {
        switch self {
        case .acknowledged: .helpAcknowledged
        case .closed: .helpClosed
        case .unanswered: .helpUnanswered
        case .calledOff: .helpCalledOff
        }
    }
}

extension Notice.HelperNews {
    public var text: ServerText {
        switch self {
        case .coming: .helperComing
        case .notComing: .helperNotComing
        case .called: .helperCalled
        }
    }
}
