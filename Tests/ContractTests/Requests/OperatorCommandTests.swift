import Contract
import JSON
import Testing
import Tracking

struct OperatorCommandTests {
    private static let family = "FamilyFamilyFamily_-09"
    private static let hash = [UInt8](0..<32)
    private static let all = Method.all.filter { $0.askers.contains(.operator) }.map(\.name)

    private func read(_ json: String) throws(Problem) -> any AreaOperatorCommand {
        try OperatorCommand(json: json).read(at: .now, FixLimits())
    }

    private var aboutAccounts: [(OperatorCommand, AccountOperatorCommand)] {
        get throws {
            let (hash, email) = (OperatorCommandTests.hash, try EmailAddress("a@b"))
            let name = try DisplayName("A \"quoted\" ü")
            let password = PasswordHash(.init(ln: 10), salt: Array(hash[..<16]), hash: hash)
            let users = [
                OperatorCommand.NewUser("ann", name),
                .init(
                    "bob", name, email: email, group: GroupKey(OperatorCommandTests.family),
                    link: hash),
            ]
            return [
                (
                    .addUser(
                        "ann", displayName: name.text, email: "a@b", ownTracksPublishIsSOS: true),
                    .add("ann", name, email: email, ownTracksPublishIsSOS: true)
                ),
                (
                    .addUser(
                        "ann", displayName: name.text, email: nil, ownTracksPublishIsSOS: false),
                    .add("ann", name, email: nil, ownTracksPublishIsSOS: false)
                ),
                (.importUsers(users), .import(users)), (.importUsers([]), .import([])),
                (.renameUser("ann", name), .rename("ann", name)),
                (.revokeDevices("ann", device: "phone"), .revokeDevices("ann", device: "phone")),
                (.revokeDevices("ann", device: nil), .revokeDevices("ann", device: nil)),
                (.disableUser("ann"), .disable("ann")), (.enableUser("ann"), .enable("ann")),
                (.removeUser("ann"), .remove("ann")),
                (
                    .setToken(user: "ann", device: "phone", hash: hash, speaksOwnTracks: true),
                    .setToken(user: "ann", device: "phone", hash: hash, speaksOwnTracks: true)
                ),
                (.setPassword(user: "ann", password), .setPassword("ann", password)),
                (.inviteUser("ann", hash: hash), .invite("ann", hash: hash)),
                (.removeSecondFactor("ann"), .removeSecondFactor("ann")),
                (.confirmAddress("ann"), .confirmAddress("ann")),
            ]
        }
    }

    private var aboutTheRest: [(OperatorCommand, any AreaOperatorCommand)] {
        get throws {
            let (group, name) = (
                try #require(GroupKey(OperatorCommandTests.family)), try DisplayName("Club")
            )
            let (id, text) = (UUIDv7(at: .now, random: (1, 2)), try MaintenanceText("A new disk."))
            let place = Place(
                id: "bakery", source: "city", name: "Bakery", kind: nil,
                coordinate: try #require(Coordinate(latitude: 46.5, longitude: 14.5)),
                description: nil, address: "1, Road", openingHours: "24/7", phone: nil,
                website: nil, timeZone: "Europe/Rome")
            let to = Timestamp.now + .seconds(60)
            let pairs: [(OperatorCommand, any AreaOperatorCommand)] = [
                (
                    .createGroup(name, members: ["ann", "bob", "ann"]),
                    GroupOperatorCommand.create(name, members: ["ann", "bob"])
                ),
                (.addMember(group, "ann"), GroupOperatorCommand.add(group, "ann")),
                (.removeMember(group, "ann"), GroupOperatorCommand.remove(group, "ann")),
                (.endObserver(id), GroupOperatorCommand.endObserver(id)),
                (
                    .announceMaintenance(from: .now, to: to, text),
                    MaintenanceOperatorCommand.announce(from: .now, to: to, text)
                ),
                (
                    .moveMaintenance(id, from: .now, to: nil, text),
                    MaintenanceOperatorCommand.move(id, from: .now, to: nil, text)
                ),
                (.cancelMaintenance(id), MaintenanceOperatorCommand.cancel(id)),
                (.listMaintenances, MaintenanceOperatorCommand.list),
                (.importPlaces([place]), PlaceOperatorCommand.import([place])),
                (.removePlaces(["aa", "bb"]), PlaceOperatorCommand.remove(["aa", "bb"])),
                (.drill(area: nil), DispatchOperatorCommand.drill(area: nil)),
                (.drill(area: "North"), DispatchOperatorCommand.drill(area: "North")),
            ]
            return pairs
        }
    }

    @Test func `Every command of the command line is read as it was written`() throws {
        var methods: Set<String> = []
        for (command, expected) in try aboutAccounts.map({ ($0, $1) }) + aboutTheRest {
            #expect("\(try read(command.json))" == "\(expected)", "\(command.json)")
            methods.insert(try JSONValue.parse(command.json.bytes)["command"]?.text ?? "")
        }
        // The command line makes its own lists of users and groups.
        #expect(methods == Set(OperatorCommandTests.all).subtracting(["user.list", "group.list"]))
    }

    @Test(arguments: [
        ("", "malformed"), ("[]", "invalid: payload must be an object"), ("{}", "unknown-method"),
        (#"{"command":"x"}"#, "unknown-method"), (#"{"command":"chat.send"}"#, "unknown-method"),
        (#"{"command":"user.add"}"#, "invalid: user is missing; name is missing"),
        (
            #"{"command":"user.token","user":"a b","device":"phone","hash":"00"}"#,
            "invalid: user \(notAName); hash must be 64 hexadecimal digits"
        ),
        (
            #"{"command":"user.invite","user":"ann"}"#,
            "invalid: hash is missing; hash must be 64 hexadecimal digits"
        ),
        (
            #"{"command":"user.password","user":"ann","hash":"correct horse"}"#,
            "invalid: hash must be a password hash"
        ),
        (#"{"command":"user.import"}"#, "invalid: users must be an array"),
        (
            #"{"command":"user.import","users":[{"user":"a b","hash":7},{}]}"#,
            "invalid: users.user \(notAName); users.name is missing; "
                + "users.hash must be a string; users.hash must be 64 hexadecimal digits"
        ),
        (#"{"command":"user.import","users":[7]}"#, "invalid: users.payload must be an object"),
        (
            #"{"command":"user.list","limit":101}"#,
            "invalid: limit must be a whole number from 1 to 100"
        ),
        (
            #"{"command":"group.create","name":"A","members":[]}"#,
            "invalid: members must not be empty"
        ),
        (
            #"{"command":"group.create","name":"A","members":["a/b"]}"#,
            "invalid: members has an invalid element"
        ),
        (#"{"command":"place.remove","places":[7]}"#, "invalid: places has an invalid element"),
        (
            #"{"command":"place.import","places":[{"place":"bakery"}]}"#,
            "invalid: places.source is missing; places.name is missing; "
                + "places.latitude is missing; places.longitude is missing; "
                + "places.timeZone is missing"
        ),
        (#"{"command":"observer.end","observer":"7"}"#, "invalid: observer must be an id"),
        (#"{"command":"emergency.drill"}"#, "invalid: area is missing"),
    ])
    func `An invalid command is refused with all reasons`(_ json: String, _ answer: String) {
        #expect(refusal { () throws(Problem) in _ = try read(json) } == answer)
    }

    @Test(arguments: all)
    func `A command rejects an invalid value of a declared member by its name`(_ name: String)
        throws
    {
        func errors(_ member: String, _ value: String) -> [Problem.FieldError] {
            do throws(Problem) {
                _ = try read(#"{"command":"\#(name)","\#(member)":\#(value)}"#)
                return []
            } catch {
                return error.errors
            }
        }
        let method = try #require(Method.named(name))
        for member in method.operatorWays.joined() {
            let found = ["7", "true", "{}", "[[]]"].flatMap { errors(member.name, $0) }
            #expect(
                found.contains {
                    ($0.field + ".").hasPrefix(member.name + ".") && $0.reason != "is missing"
                }, "\(name) accepts anything as \(member.name).")
            guard member.isRequired else { continue }
            #expect(
                errors("other", "7").contains { $0.field == member.name },
                "\(name) does without \(member.name).")
        }
    }
}
