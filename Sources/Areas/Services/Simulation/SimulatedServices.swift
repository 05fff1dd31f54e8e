import Bridge
import Contract
import JSON
import MQTT
import Store
import Tracking

/// A company whose service asks people for their data, and people who consent or refuse.
///
/// Nothing is passed on to a service without a consent on disk.
final class SimulatedServices: SimulatedArea {
    unowned let world: World
    private lazy var company = SimulatedCompany(world)
    private var hasBegun = false

    init(_ world: World) { self.world = world }

    // MARK: Life

    static var asks: [Ask<Phone>] {
        let service = #""service":"myheart""#
        return [
            Ask(1, "service.discover"), Ask(2, "service.add") { _ in service },
            Ask(2, "service.add") { phone in
                service + #","stream":\#(phone.world.chance.happens(80))"#
            },
            Ask(1, "service.remove") { _ in service }, Ask(2, "consent.list"),
            Ask(6, "consent.answer") { phone in
                phone.services.request.map {
                    #""request":"\#($0)","allow":\#(phone.world.chance.happens(70))"#
                }
            },
            Ask(1, "access.log") { #""limit":\#($0.world.chance.number(1...20))"# },
        ]
    }

    var events: [(weight: Int, choice: () throws -> Void)] {
        [
            (
                6,
                {
                    self.hasBegun = true
                    self.company.act()
                }
            )
        ]
    }

    func pump(all: Bool) {
        guard hasBegun else { return }
        company.pump(all ? 100 : world.chance.number(0...3))
    }

    func received(_ message: Message, on topic: Topic, by phone: Phone) {
        guard case .notices = topic else { return }
        let notice = JSONValue.of(message.payload)
        if notice["kind"]?.text == "consent-requested" {
            phone.services.request = notice["request"]?.text
        }
    }

    func answered(_ request: AskedRequest, _ answer: JSONValue, to phone: Phone) {
        guard request.method == "consent.list" else { return }
        let requests = answer["result"]?["requests"]?.elements ?? []
        phone.services.request = requests.first?["request"]?.text
    }

    // MARK: Attempts

    func targets(_ victim: Name) -> Targets {
        Targets(
            filters: [
                "kith/services/#", "kith/services/myheart/users/\(victim)/samples",
                "kith/services/+/notices",
            ],
            topics: [
                "kith/services/myheart/requests/data.get",
                "kith/services/myheart/users/\(victim)/samples",
            ])
    }

    static var adversaryAsks: [Ask<Adversary>] {
        [
            Ask(1, "data.get") { _ in #""user":"ann""# }, Ask(1, "service.list"),
            Ask(1, "consent.answer") { _ in
                #""request":"01890000-0000-7000-8000-000000000000","allow":true"#
            },
        ]
    }

    // MARK: On disk

    static func rows(in transaction: Transaction) throws(StoreError) -> [String] {
        try transaction.services().map { "service \($0)" }
            + transaction.serviceConsents().map { "consent \($0)" }
    }

    static var canaries: [Canary] { [forgetRevocation] }

    /// Bug: the gate does not learn that a consent was revoked.
    private static var forgetRevocation: Canary {
        Canary("forgetRevocation", foundBy: "shadow", "access") { attempted in
            attempted.sql.hasPrefix("UPDATE service_consents SET ended_at_ms") ? .skipped : nil
        }
    }
}

/// A phone's knowledge of a service's request.
final class ServiceMemory: PhoneMemory {
    var request: String?

    init() {}
}

extension Phone {
    var services: ServiceMemory { memory() }
}
