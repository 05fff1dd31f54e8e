import Bridge
import Contract
import FakeGPS
import Foundation
import JSON
import MQTT
import OperatorTools
import ServiceLifecycle
import Store
import Tracking

/// Five simulated people who move around Monaco, for anyone who wants to see Kith work: one on a
/// journey that arrives, one who gets stuck, one who sends an SOS. Their story restarts when it is
/// over, for later visitors.
struct Demo: Service {
    /// The usual limit is five minutes; no one watches a demo for that long.
    static let stuckAfter = Duration.seconds(60)

    /// From one call for help to the next, and until the first.
    static let round = Duration.seconds(180)
    static let callsAfter = Duration.seconds(75)

    private static let groupName = "Demo"
    private static let people = [
        ("ann", "Ann"), ("ben", "Ben"), ("cleo", "Cleo"), ("dan", "Dan"), ("eva", "Eva"),
    ]

    /// No one else can reach them: strangers' texts would be shown to the next visitor.
    static var names: Set<Name> { Set(people.compactMap { Name($0.0) }) }

    private let fleet: Fleet
    private let group: GroupKey
    private let port: UInt16
    /// The token of the terminal that watches as Dan.
    private let token: DeviceToken
    /// The token shared by the browsers that watch.
    let browser: DeviceToken

    /// Creates the people and their group if they do not exist yet, and new tokens.
    init(databasePath: String, _ settings: BridgeSettings, port: UInt16) async throws {
        let service = Operator(databasePath: databasePath, settings, mayBegin: true)
        let database = DatabaseAddress(databasePath, server: settings.databaseServer)
        group = try await Demo.prepare(database, service)
        self.port = port
        var options = Fleet.Options()
        options.port = Int32(port)
        options.topics = settings.topics
        var phones = Demo.phones(group)
        for index in phones.indices {
            let phone = phones[index]
            phones[index].password = try await service.makeToken(
                phone.user, phone.device, speaksOwnTracks: phone.format == .ownTracks
            ).text
        }
        fleet = Fleet(phones, options)
        guard let dan = Name("dan"), let terminal = Name("terminal") else {
            preconditionFailure("they are names")
        }
        token = try await service.makeToken(dan, terminal, speaksOwnTracks: false)
        guard let device = Name("browser") else { preconditionFailure("it is a name") }
        browser = try await service.makeToken(dan, device, speaksOwnTracks: false)
    }

    private static func prepare(_ database: DatabaseAddress, _ service: Operator)
        async throws -> GroupKey
    {
        var known: [String] = []
        if try database.isThere() {
            let listing = try DirectoryListing(database)
            known = listing.users.map(\.name)
            let earlier = listing.groups.first {
                $0.name == groupName && Set($0.members).isSubset(of: people.map(\.0))
            }
            if let key = earlier.flatMap({ GroupKey($0.key) }) { return key }
        }
        // Their phones would get the demo's tokens, and visitors would see their data.
        if let taken = people.map(\.0).first(where: known.contains) {
            throw Complaint(
                "There is already a user \(taken) here: give the demo a data directory of its own (--data)."
            )
        }
        let names = people.compactMap { Name($0.0) }
        for (name, person) in zip(names, people) {
            _ = try await service.perform(
                .addUser(
                    name, displayName: person.1, email: nil, ownTracksPublishIsSOS: false))
        }
        let created = try await service.perform(
            .createGroup(try checked(groupName), firstMember: names[0]))
        guard case .string(let text) = created["group"], let key = GroupKey(text) else {
            throw Complaint("The bridge's answer contains no group id.")
        }
        for name in names.dropFirst() { _ = try await service.perform(.addMember(key, name)) }
        return key
    }

    func run() async throws {
        print(
            """

            Five people are moving about Monaco. To see what Dan sees, run in another terminal:

                mosquitto_sub -p \(port) -u dan -P \(token.text) -v -t 'kith/groups/\(group)/#'

            Ann drives home and arrives within two minutes. Ben, also on a journey, gets stuck; the
            demo notices after \(Demo.stuckAfter.milliseconds / 1000) s instead of 300. Cleo \
            sends an SOS after \(Demo.callsAfter.milliseconds / 1000) s, and
            ends it a minute later. Dan walks. Eva uses an OwnTracks phone. They chat with each \
            other. Everything repeats, so you can join at any time:
            Cleo calls every \(Demo.round.milliseconds / 1000) s. Press Ctrl-C to end the demo.

            """)
        fflush(nil)
        let fleet = fleet
        try await withGracefulShutdownHandler {
            try await withTaskCancellationHandler {
                _ = try await onThread(named: "demo") { try fleet.run() }
                try await gracefulShutdown()
            } onCancel: {
                fleet.stop()
            }
        } onGracefulShutdown: {
            fleet.stop()
        }
    }

    static func tell(page address: String) {
        print(
            """

            To watch the demo in a browser, open \(address) and choose "Watch the demo".
            """)
        fflush(nil)
    }

    // MARK: People

    private static func phones(_ group: GroupKey) -> [Phone] {
        var ann = phone("ann", StreetTrack(along: DemoStreets.casino, isDriven: true, seed: 1))
        // Arriving takes two positions at the destination. Then she drives back to where she began.
        ann.track = ann.track.thenStanding(for: .seconds(30))
        ann.goesBackAndForth = true
        ann.repeatsActionsEvery = ann.track.duration * 2
        ann.actions += [
            .startJourney(
                to: DemoStreets.home, named: "home", within: .seconds(240), at: .seconds(3)),
            .say("On my way home, see you in a few minutes.", to: group, at: .seconds(8)),
        ]
        var ben = phone("ben", StreetTrack(along: DemoStreets.oldTown, isDriven: true, seed: 2))
        // Long enough to be noticed; on the way back he is moving again.
        ben.track = ben.track.thenStanding(for: .seconds(120))
        ben.goesBackAndForth = true
        ben.repeatsActionsEvery = ben.track.duration * 2
        ben.actions += [
            .startJourney(
                to: DemoStreets.station, named: "the station", within: .seconds(900),
                at: .seconds(3))
        ]
        var cleo = phone("cleo", StreetTrack(along: DemoStreets.beach, isDriven: false, seed: 3))
        cleo.actions += [
            .triggerSOS(at: callsAfter), .stopSOS(at: callsAfter + .seconds(60)),
            .say("It was nothing, I am fine.", to: group, at: callsAfter + .seconds(62)),
        ]
        cleo.repeatsActionsEvery = round
        var eva = phone("eva", StreetTrack(along: DemoStreets.rock, isDriven: false, seed: 5))
        eva.format = .ownTracks
        eva.numbersFixes = false
        // The app cannot make requests; she started sharing from another device.
        var tablet = phone(
            "eva", on: "tablet", StreetTrack(along: DemoStreets.rock, isDriven: false, seed: 5))
        tablet.track = tablet.track.first
        tablet.goesBackAndForth = false
        eva.actions = []
        var dan = phone("dan", StreetTrack(along: DemoStreets.harbour, isDriven: false, seed: 4))
        dan.actions += [
            .say("Mind the works on the quay!", to: group, at: .seconds(14)),
            .say("Cleo, what happened? I am coming.", to: group, at: callsAfter + .seconds(5)),
        ]
        dan.repeatsActionsEvery = round
        return [ann, ben, cleo, dan, eva, tablet]
    }

    /// First ends everything that an earlier demo, or the round before, left unfinished.
    private static func phone(
        _ user: String, on device: String = "phone", _ street: StreetTrack
    ) -> Phone {
        guard let name = Name(user), let device = Name(device) else {
            preconditionFailure("they are names")
        }
        var phone = Phone(user: name, device: device, track: street.track(every: 2))
        phone.goesBackAndForth = !street.isDriven
        phone.numbersFixes = true
        phone.actions = [
            .stopSOS(at: .zero), .stopJourney(at: .zero), .startSharing(with: .all),
        ]
        return phone
    }
}
