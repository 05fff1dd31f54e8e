import Bridge
import Contract
import JSON
import MQTT
import Store
import Tracking

extension SimulatedArea {
    static var asks: [Ask<Phone>] { [] }
    var events: [(weight: Int, choice: () throws -> Void)] { [] }
    func settle() throws {}
    func populate() throws -> Bool { true }
    func pump(all: Bool) {}

    func targets(_ victim: Name) -> Targets { Targets() }
    static var adversaryAsks: [Ask<Adversary>] { [] }
    static var adversaryGuestAsks: [Ask<Adversary>] { [] }
    func attacks(by adversary: Adversary) -> [(weight: Int, choice: () -> Void)] { [] }

    func filters(of user: Name) -> [String] { [] }
    func sender(of topic: Topic) -> (user: Name, device: Name)? { nil }
    func connected(_ phone: Phone) {}
    func received(_ message: Message, on topic: Topic, by phone: Phone) {}
    func received(_ message: Message, on topic: Topic, by adversary: Adversary) {}
    func asked(_ request: AskedRequest, by phone: Phone) {}
    func answered(_ request: AskedRequest, _ answer: JSONValue, to phone: Phone) {}
    func forgetSubscriptions(of phone: Phone, since time: Duration) {}

    static var statements: [String] { [] }
    func committed(_ rows: [Written]) {}
    func rightsChanged(_ users: [(Name, UserAccess?)], in transaction: Transaction)
        throws(StoreError)
    {}
    func published(_ message: Message, on topic: Topic) {}
    func delivered(_ message: Message, on topic: Topic, to user: Name) {}
    func brokerWasKilled(_ lastSave: Duration) {}

    func maySaySecrets(on topic: Topic) -> Bool { false }
    static func rows(in transaction: Transaction) throws(StoreError) -> [String] { [] }
    var isAtRest: Bool { true }
    func checkRest() throws {}

    static var remade: [Topic.ListedKind] { [] }
    static var canaries: [Canary] { [] }
}
