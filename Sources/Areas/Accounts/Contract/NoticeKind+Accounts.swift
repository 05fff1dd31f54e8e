internal import JSON
internal import Languages
internal import Tracking

extension NoticeKind {
    private static let device: [Member] = [.name("device", as: "device")]
    private static let label: [Member] = [.text("label", as: "label")]

    static let newLogin = NoticeKind("new-login", device, share: .logins, says: .text(.newLogin))
    static let loggedOut = NoticeKind(
        "logged-out", device + [.text("why") { Notice.Ending(rawValue: $0) != nil }],
        share: .logins,
        says: .text { news in
            switch news.text("why").flatMap({ Notice.Ending(rawValue: $0) }) {
            case .room: .loggedOutForRoom
            case .left: .loggedOutLeft
            case .unconfirmed: .loggedOutUnconfirmed
            case .unused, nil: .loggedOutUnused
            }
        })
    static let clockWrong = NoticeKind(
        "clock-wrong", device + [.number("ahead").optional],
        says: Words { notice, _ in
            guard let ahead = notice.news["ahead"]?.integer else {
                return [notice.phrase(.clockWrong)]
            }
            let minutes = (abs(ahead) + 30) / 60
            guard minutes <= mostMinutes else { return [notice.phrase(.clockCorrected)] }
            return [
                notice.phrase(
                    ahead > 0 ? .clockFast : .clockSlow,
                    ["minutes": .number(Int(clamping: minutes))])
            ]
        })
    /// A duration above two days is not given in minutes.
    private static let mostMinutes: Int64 = 2 * 24 * 60

    static let passwordChanged = account("password-changed", says: .passwordChanged)
    static let passwordForgotten = account("password-forgotten", says: .passwordForgotten)
    static let emailChanged = account("email-changed", says: .emailChanged)
    static let secondFactorOn = account("second-factor-on", says: .secondFactorOn)
    static let secondFactorOff = account("second-factor-off", says: .secondFactorOff)
    static let passkeyAdded = account("passkey-added", label, says: .passkeyAdded)
    static let passkeyRemoved = account("passkey-removed", label, says: .passkeyRemoved)

    /// Returns a kind that concerns access to the account.
    private static func account(_ name: String, _ members: [Member] = [], says text: ServerText)
        -> NoticeKind
    {
        NoticeKind(name, members, share: .account, says: .text(text))
    }
}

extension Notice {
    /// The reason why the service logged out a device.
    public enum Ending: String, Hashable, Sendable {
        /// The device was not used for long.
        case unused
        /// Another device logged in, and the maximum was reached.
        case room
        /// The organisation's directory no longer knows its owner.
        case left
        /// The organisation could not be asked about its owner for long.
        case unconfirmed
    }
}

extension Notice.News {
    /// A device has logged in as the user.
    public static func newLogin(device: Name) -> Notice.News {
        .init(.newLogin, ["device": .string(device.text)])
    }

    /// The service logged out a device.
    public static func loggedOut(device: Name, _ why: Notice.Ending) -> Notice.News {
        .init(.loggedOut, ["device": .string(device.text), "why": .string(why.rawValue)])
    }

    /// A device's clock is wrong.
    ///
    /// - Parameter ahead: the offset in whole seconds, which is corrected; negative if the clock is
    ///   slow. Nil if the device's measurements are rejected.
    public static func clockWrong(device: Name, ahead: Duration?) -> Notice.News {
        .init(
            .clockWrong,
            [
                "device": .string(device.text),
                "ahead": ahead.map { .number(Double($0.milliseconds / 1000)) },
            ])
    }

    public static let passwordChanged = Notice.News(.passwordChanged)
    /// A link that sets a password was requested, and is sent to the user's address.
    public static let passwordForgotten = Notice.News(.passwordForgotten)
    public static let emailChanged = Notice.News(.emailChanged)
    public static func secondFactor(isOn: Bool) -> Notice.News {
        .init(isOn ? .secondFactorOn : .secondFactorOff)
    }
    /// A passkey was added, or removed.
    public static func passkey(label: String, isAdded: Bool) -> Notice.News {
        .init(isAdded ? .passkeyAdded : .passkeyRemoved, ["label": .string(label)])
    }
}
