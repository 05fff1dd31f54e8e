import Contract
import Testing
import Tracking

/// Rules for every method, including future ones.
struct MethodTests {
    private static let family = "FamilyFamilyFamily_-09"

    private static let isNoObject = "invalid: payload must be an object"

    /// Invalid requests, and the words of the replies.
    private static let badRequests: [String: (payload: String, answer: String)] = [
        "group.create": ("{}", "invalid: name is missing"),
        "group.rename": ("{}", "invalid: group is missing; name is missing"),
        "group.add": (
            #"{"group":"\#(family)","user":"B"}"#, "invalid: user \(notAName)"
        ),
        "group.invite": (
            #"{"group":"\#(family)","expires":"x"}"#,
            "invalid: expires must be an RFC 3339 time or epoch milliseconds"
        ),
        "invitation.list": (#"{"group":7}"#, "invalid: group must be a string"),
        "invitation.get": ("{}", "invalid: token is missing"),
        "invitation.accept": ("{}", "invalid: invitation is missing"),
        "invitation.decline": (#"{"invitation":"7"}"#, "invalid: invitation is not a UUID"),
        "invitation.revoke": ("{}", "invalid: group is missing; invitation is missing"),
        "group.remove": ("{}", "invalid: group is missing; user is missing"),
        "group.leave": (#"{"group":7}"#, "invalid: group must be a string"),
        "group.list": ("[]", isNoObject),
        "sharing.start": ("{}", "invalid: groups is missing"),
        "sharing.stop": (#"{"groups":["x"]}"#, "invalid: groups[0] is not a group id"),
        "sharing.list": (
            #"{"cursor":"x."}"#, "invalid: cursor was not issued by this service"
        ),
        "members.get": (
            #"{"group":"\#(family)","cursor":7}"#, "invalid: cursor must be a string"
        ),
        "journey.start": (
            #"{"extend":true,"eta":0}"#, "invalid: eta must be in the future"
        ),
        "journey.stop": ("7", isNoObject),
        "path.get": (
            #"{"group":"\#(family)","user":"ann","format":"kml"}"#,
            "invalid: format must be geojson or gpx"
        ),
        // A call for help is accepted with any content.
        "sos.trigger": (#"{"fix":7}"#, "sos, refused invalid: fix must be an object"),
        "sos.stop": ("[]", isNoObject),
        "alert.list": ("{}", "invalid: group is missing"),
        "alert.acknowledge": (#"{"alert":"7"}"#, "invalid: alert is not a UUID"),
        "friend.add": ("{}", "invalid: user is missing"),
        "friend.remove": (#"{"user":7}"#, "invalid: user must be a string"),
        "friend.list": (
            #"{"of":"all"}"#, "invalid: of must be friends, sharers or blocked"
        ),
        "friend.share": ("{}", "invalid: with is missing"),
        "friend.unshare": (
            #"{"with":"bob"}"#, "invalid: with must be \"all\" or a list of user names"
        ),
        "friend.nearby": ("{}", "invalid: radius is missing"),
        "friend.block": ("{}", "invalid: user is missing"),
        "friend.unblock": ("{}", "invalid: user is missing"),
        "location.off": (#"{"store":"no"}"#, "invalid: store must be true or false"),
        "chat.send": (#"{"group":"\#(family)"}"#, "invalid: text is missing"),
        "chat.history": (
            #"{"group":"\#(family)","limit":0}"#,
            "invalid: limit must be a whole number from 1 to 100"
        ),
        "account.register": (
            #"{"username":"ann","email":"a@b.org","password":"correct horse","#
                + #""firstName":"A","lastName":"B"}"#, "invalid: acceptTerms must be true"
        ),
        "account.login": (
            "{}", "invalid: login is missing; password is missing; device is missing"
        ),
        "account.forgot": ("{}", "invalid: login is missing"),
        "account.recover": (
            #"{"token":"x","password":"short"}"#,
            "invalid: token is not a link's last part; password must have at least 8 characters"
        ),
        "account.verify": ("{}", "invalid: token is missing"),
        "account.accept": ("{}", "invalid: version is missing"),
        "account.totp.start": ("{}", "invalid: password is missing"),
        "account.totp.confirm": (
            #"{"code":"12345"}"#, "invalid: code must be six digits, or a recovery code"
        ),
        "account.totp.stop": ("{}", "invalid: password is missing; code is missing"),
        "account.passkey.begin": ("[]", isNoObject),
        "account.passkey.add": (
            #"{"credential":{"id":"AA","response":{"attestationObject":"AA="}},"password":"x"}"#,
            "invalid: credential.response.attestationObject must be 1 to 16384 bytes in "
                + "base64url; credential.response.clientDataJSON is missing"
        ),
        "account.passkey.list": ("[]", isNoObject),
        "account.passkey.remove": (
            #"{"passkey":"7"}"#, "invalid: passkey is not a UUID; password is missing"
        ),
        "account.passkey.challenge": ("[]", isNoObject),
        "account.passkey.login": ("{}", "invalid: credential is missing; device is missing"),
        "account.get": ("[]", isNoObject),
        "account.update": (#"{"firstName":7}"#, "invalid: firstName must be a string"),
        "avatar.get": ("{}", "invalid: user is missing"),
        "account.password": ("{}", "invalid: old is missing; new is missing"),
        "account.delete": ("{}", "invalid: password is missing"),
        "account.export": (#"{"cursor":7}"#, "invalid: cursor must be a string"),
        "account.logout": ("[]", isNoObject),
        "system.health": ("[]", isNoObject),
        "device.list": ("[]", isNoObject),
        "device.revoke": ("{}", "invalid: device is missing"),
        "device.remove": ("{}", "invalid: device is missing"),
    ]

    /// The methods open to guests or users.
    static let asked = Method.all.filter { !$0.askers.isDisjoint(with: [.guest, .user]) }
        .map(\.name)

    private func answer(_ method: String, _ payload: String, isGuest: Bool) -> String {
        var words = "done"
        let outcome = refusal { () throws(Problem) in
            let request = try Request(payload.bytes)
            if isGuest {
                _ = try GuestCommand(method: method, request, at: .now, FixLimits())
            } else {
                words = try Command(method: method, request, at: .now, FixLimits()).words
            }
        }
        return outcome == "accepted" ? words : outcome
    }

    @Test(arguments: badRequests.keys.sorted())
    func `An invalid request is refused with the reason`(_ name: String) throws {
        let bad = try #require(MethodTests.badRequests[name])
        let method = try #require(Method.named(name))
        if method.askers.contains(.guest) {
            #expect(answer(name, bad.payload, isGuest: true) == bad.answer)
        }
        if method.askers.contains(.user) {
            #expect(answer(name, bad.payload, isGuest: false) == bad.answer)
        }
    }

    @Test(arguments: asked)
    func `A caller without the right is refused as not allowed`(_ name: String) throws {
        let method = try #require(Method.named(name))
        // Regardless of other errors.
        let payload = MethodTests.badRequests[name]?.payload ?? "{}"
        guard payload.first == "{" else { return }
        if !method.askers.contains(.guest) {
            #expect(answer(name, payload, isGuest: true) == "not-allowed")
        }
        if !method.askers.contains(.user) {
            #expect(answer(name, payload, isGuest: false) == "not-allowed")
        }
    }

    @Test(arguments: asked)
    func `A payload that is not an object is refused by every method`(_ name: String) throws {
        let method = try #require(Method.named(name))
        for isGuest in [true, false] where method.askers.contains(isGuest ? .guest : .user) {
            for payload in ["[]", "7", #""x""#] {
                #expect(answer(name, payload, isGuest: isGuest) == MethodTests.isNoObject)
            }
        }
    }

    /// The field errors of a request, including those that do not prevent a call for help.
    private func wrong(_ method: String, _ payload: String, isGuest: Bool)
        -> [Problem.FieldError]
    {
        do throws(Problem) {
            let request = try Request(payload.bytes)
            guard !isGuest else {
                _ = try GuestCommand(method: method, request, at: .now, FixLimits())
                return []
            }
            let command = try Command(method: method, request, at: .now, FixLimits())
            guard case .trigger(_, let refused?)? = command.content as? EmergencyCommand else {
                return []
            }
            return refused.errors
        } catch {
            return error.errors
        }
    }

    /// A request with the members that select this variant, and one more member.
    private func payload(_ way: [Schema.Member], _ name: String = "", _ value: String = "")
        -> String
    {
        var members = way.compactMap { member -> String? in
            guard member.name != name, member.isRequired || member.schema == .isTrue else {
                return nil
            }
            return switch member.schema {
            case .isTrue: #""\#(member.name)":true"#
            case .choice(let words): #""\#(member.name)":"\#(words[0])""#
            default: nil
            }
        }
        if !value.isEmpty { members.append(#""\#(name)":\#(value)"#) }
        return "{\(members.joined(separator: ","))}"
    }

    /// At least one of these is of the wrong type, or has no meaning, in any field.
    private static let values = ["7", "true", "{}", "[[]]", #""\u0001""#]

    @Test(arguments: asked)
    func `A method rejects an invalid value of a declared member by its name`(_ name: String) throws
    {
        let method = try #require(Method.named(name))
        for isGuest in [true, false] where method.askers.contains(isGuest ? .guest : .user) {
            for way in method.ways {
                for member in way {
                    let field = member.name
                    let errors = MethodTests.values.flatMap {
                        wrong(name, payload(way, field, $0), isGuest: isGuest)
                    }
                    #expect(
                        errors.contains {
                            ($0.field + ".").replacing("[", with: ".").hasPrefix(field + ".")
                                && $0.reason != "is missing"
                        },
                        "\(name) accepts anything as \(field).")
                    // Without a member that distinguishes two variants, it is the first of them.
                    let first = method.ways.first { payload($0) == payload(way) }
                    let tellsApart =
                        way != method.ways[0] && payload(way, field) != payload(way)
                    guard member.isRequired, way == first, !tellsApart else { continue }
                    #expect(
                        wrong(name, payload(way, field), isGuest: isGuest)
                            .contains { $0.field == field },
                        "\(name) does without \(field).")
                }
            }
        }
    }

    @Test(arguments: asked)
    func `A method rejects numbers beyond their declared bounds`(_ name: String) throws {
        let method = try #require(Method.named(name))
        let isGuest = !method.askers.contains(.user)
        for way in method.ways {
            for member in way {
                let bounds: [String] =
                    switch member.schema {
                    case .number(let range): ["\(range.lowerBound - 1)", "\(range.upperBound + 1)"]
                    case .integer(let range):
                        ["\(range.lowerBound - 1)"]
                            + (range.upperBound < .max ? ["\(range.upperBound + 1)"] : [])
                    default: []
                    }
                for bound in bounds {
                    let errors = wrong(name, payload(way, member.name, bound), isGuest: isGuest)
                    #expect(
                        errors.contains { $0.field == member.name },
                        "\(name) accepts \(bound) as \(member.name).")
                }
            }
        }
    }

    @Test func `An operator-only method is unknown to others`() {
        let operators = Method.all.filter { $0.askers == .operator }
        #expect(!operators.isEmpty)
        for method in operators {
            #expect(answer(method.name, "{}", isGuest: false) == "unknown-method")
            #expect(answer(method.name, "{}", isGuest: true) == "unknown-method")
        }
    }

    @Test(arguments: asked)
    func `A demo method requires a login and has no password`(_ name: String) throws {
        let method = try #require(Method.named(name))
        #expect(!method.isForDemo || method.askers.contains(.user) && !method.hasPassword)
    }

    @Test func `A command knows whether it only reads`() throws {
        let request = try Request([])
        func isRead(_ method: String) throws(Problem) -> Bool {
            try Command(method: method, request, at: .now, FixLimits()).method.isRead
        }
        #expect(try isRead("group.list"))
        #expect(try !isRead("journey.stop"))
        #expect(try !isRead("sos.trigger"))
    }
}
