import Contract
import Testing
import Tracking

/// What must be said of every method, whichever comes next.
struct MethodTests {
    private static let family = "FamilyFamilyFamily_-09"

    private static let isNoObject = "invalid: payload must be an object"

    /// Requests that cannot be meant, and the words of the answers.
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
        "invitation.accept": ("{}", "invalid: token is missing"),
        "invitation.decline": (#"{"invitation":"7"}"#, "invalid: invitation is not a UUID"),
        "invitation.revoke": ("{}", "invalid: group is missing; invitation is missing"),
        "group.remove": ("{}", "invalid: group is missing; user is missing"),
        "group.leave": (#"{"group":7}"#, "invalid: group must be a string"),
        "group.list": ("[]", isNoObject),
        "sharing.start": ("{}", "invalid: groups is missing"),
        "sharing.stop": (#"{"groups":["x"]}"#, "invalid: groups[0] is not the id of a group"),
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
        // Whatever comes with it, a call for help is one.
        "sos.trigger": (#"{"fix":7}"#, "sos, refused invalid: fix must be an object"),
        "sos.stop": ("[]", isNoObject),
        "alert.list": ("{}", "invalid: group is missing"),
        "alert.acknowledge": (#"{"alert":"7"}"#, "invalid: alert is not a UUID"),
        "friend.add": ("{}", "invalid: user is missing"),
        "friend.remove": (#"{"user":7}"#, "invalid: user must be a string"),
        "friend.list": (
            #"{"of":"all"}"#, "invalid: of must be one of friends, sharers, blocked"
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
            "invalid: token is not the end of a link; password must have at least 8 characters"
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

    /// What everybody may ask who is no operator.
    static let asked = Method.all.filter { !$0.askers.isDisjoint(with: [.guest, .user]) }
        .map(\.name)

    private func answer(_ method: String, _ payload: String, isGuest: Bool) -> String {
        var words = "done"
        let outcome = refusal { () throws(Problem) in
            let request = try Request(payload.bytes)
            if isGuest {
                _ = try GuestCommand(method: method, request)
            } else {
                words = try Command(method: method, request, at: .now, FixLimits()).words
            }
        }
        return outcome == "accepted" ? words : outcome
    }

    @Test(arguments: badRequests.keys.sorted())
    func `What is wrong with a request is told in words`(_ name: String) throws {
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
    func `Who may not ask is told why`(_ name: String) throws {
        let method = try #require(Method.named(name))
        // Whatever else there is to say.
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
    func `What is no object is refused, whatever it asks for`(_ name: String) throws {
        let method = try #require(Method.named(name))
        for isGuest in [true, false] where method.askers.contains(isGuest ? .guest : .user) {
            for payload in ["[]", "7", #""x""#] {
                #expect(answer(name, payload, isGuest: isGuest) == MethodTests.isNoObject)
            }
        }
    }

    /// The fields of a request as the row shows it: `{group,before?,to:{…}}` has three.
    private func fields(_ form: Method.Form) -> [String] {
        var (fields, name, depth, isName) = ([String](), "", 0, false)
        for character in form.request {
            switch character {
            case "{", "[": depth += 1
            case "}", "]": depth -= 1
            default: break
            }
            if isName, character.isLetter {
                name.append(character)
            } else {
                if !name.isEmpty { fields.append(name) }
                isName = depth == 1 && (character == "{" || character == ",")
                name = ""
            }
        }
        return fields
    }

    /// What is wrong with the fields of a request; also with those that do not prevent a call for
    /// help.
    private func wrong(_ method: String, _ payload: String, isGuest: Bool)
        -> [Problem.FieldError]
    {
        do throws(Problem) {
            let request = try Request(payload.bytes)
            guard !isGuest else {
                _ = try GuestCommand(method: method, request)
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

    /// Of these one at least is of the wrong type, or says nothing, in any field.
    private static let values = ["7", "true", "{}", "[[]]", #""\u0001""#]

    @Test(arguments: asked)
    func `Every field that the table shows is read, and refused by its name if it is wrong`(
        _ name: String
    ) throws {
        let method = try #require(Method.named(name))
        for isGuest in [true, false] where method.askers.contains(isGuest ? .guest : .user) {
            for field in Set(method.forms.flatMap(fields)) {
                let told = MethodTests.values.flatMap {
                    wrong(name, #"{"\#(field)":\#($0)}"#, isGuest: isGuest)
                }
                #expect(
                    told.contains {
                        ($0.field + ".").replacing("[", with: ".").hasPrefix(field + ".")
                            && $0.reason != "is missing"
                    },
                    """
                    \(name) does not refuse a wrong \(field): read it in its AreaCommand, or take it \
                    out of its Form.
                    """)
            }
        }
    }

    @Test func `The fields of a form are those of its outermost object`() {
        func fields(_ request: String) -> [String] { self.fields(.init(request, gives: "")) }
        #expect(fields("") == [])
        #expect(fields("`{group,before?,limit?}`") == ["group", "before", "limit"])
        #expect(
            fields("`{groups:[…],to:{latitude,name?},eta}` or `{all:true}`")
                == ["groups", "to", "eta", "all"])
    }

    @Test func `What the operator alone may ask is no method for others`() {
        let operators = Method.all.filter { $0.askers == .operator }
        #expect(!operators.isEmpty)
        for method in operators {
            #expect(answer(method.name, "{}", isGuest: false) == "unknown-method")
            #expect(answer(method.name, "{}", isGuest: true) == "unknown-method")
        }
    }

    @Test(arguments: asked)
    func `The demo is open to nobody who is not logged in, and shows no password`(
        _ name: String
    ) throws {
        let method = try #require(Method.named(name))
        #expect(!method.isForDemo || method.askers.contains(.user) && !method.hasPassword)
    }

    @Test func `A command knows whether it changes anything`() throws {
        let request = try Request([])
        func isRead(_ method: String) throws(Problem) -> Bool {
            try Command(method: method, request, at: .now, FixLimits()).method.isRead
        }
        #expect(try isRead("group.list"))
        #expect(try !isRead("journey.stop"))
        #expect(try !isRead("sos.trigger"))
    }
}
