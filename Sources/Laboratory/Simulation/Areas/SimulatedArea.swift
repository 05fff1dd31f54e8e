import Bridge
import Contract
import JSON
import MQTT
import Store
import Tracking

/// An area's part of the simulation: what people do there, what is tried there without permission,
/// and what must hold. There is one object for each world.
///
/// The engine calls everything here for each area, in the order of ``simulatedAreas``; members that
/// an area does not implement do nothing.
protocol SimulatedArea: AnyObject {
    init(_ world: World)

    // MARK: Life

    /// The requests that people make with their phones.
    static var asks: [Ask<Phone>] { get }
    /// Events other than people's actions with their phones.
    var events: [(weight: Int, choice: () throws -> Void)] { get }

    /// Sets up everything that exists from the beginning.
    func settle() throws
    /// Sets up everything that requires the bridge's first turns.
    ///
    /// - Returns: false if it has to be called again.
    func populate() throws -> Bool
    /// Moves packets of clients that are not phones.
    func pump(all: Bool)

    // MARK: Attempts

    /// Returns what anyone but the victim may try to read and to write.
    func targets(_ victim: Name) -> Targets
    /// The adversary's requests: answers that are hard to deliver, and changes.
    static var adversaryAsks: [Ask<Adversary>] { get }
    /// The adversary's requests without an account.
    static var adversaryGuestAsks: [Ask<Adversary>] { get }
    /// Returns the adversary's other actions.
    func attacks(by adversary: Adversary) -> [(weight: Int, choice: () -> Void)]

    // MARK: Phones and topics

    /// Returns the area's topics that a user's client subscribes to.
    func filters(of user: Name) -> [String]
    /// Returns whose fixes such a message carries; nil if the topic is not one of the area's for
    /// fixes.
    func sender(of topic: Topic) -> (user: Name, device: Name)?
    func connected(_ phone: Phone)
    func received(_ message: Message, on topic: Topic, by phone: Phone)
    func received(_ message: Message, on topic: Topic, by adversary: Adversary)
    /// Called before the phone sends a request with a number for the first time.
    func asked(_ request: AskedRequest, by phone: Phone)
    func answered(_ request: AskedRequest, _ answer: JSONValue, to phone: Phone)
    /// Forgets what the phone subscribed to since that time, because the broker has.
    func forgetSubscriptions(of phone: Phone, since time: Duration)

    // MARK: Oracles

    /// The beginnings of the statements that ``committed(_:)`` receives.
    static var statements: [String] { get }
    /// Statements that are on disk now, in order.
    func committed(_ rows: [Written])
    /// - Parameter users: the users whose rights have changed, by name, with the new rights; nil
    ///   for users who are gone.
    func rightsChanged(_ users: [(Name, UserAccess?)], in transaction: Transaction)
        throws(StoreError)
    /// Called with everything that the bridge publishes.
    func published(_ message: Message, on topic: Topic)
    /// Called with everything that a user's device receives.
    func delivered(_ message: Message, on topic: Topic, to user: Name)
    func brokerWasKilled(_ lastSave: Duration)

    /// Returns whether a message on the topic may contain a password or a token.
    func maySaySecrets(on topic: Topic) -> Bool
    /// Returns lines that must be the same in the database and in its shadow.
    static func rows(in transaction: Transaction) throws(StoreError) -> [String]
    /// The topics that the bridge rebuilds from stored data after a start, in its own time, so that
    /// its shadow may be ahead or behind: the area checks the result itself.
    static var remade: [Topic.ListedKind] { get }
    /// Whether nothing in the area is under way.
    var isAtRest: Bool { get }
    /// Checks what must hold once everything has come to rest.
    func checkRest() throws

    /// Deliberate bugs that the area's oracles must find, or the engine's in its messages.
    static var canaries: [Canary] { get }
}

/// A request that is made now and then.
struct Ask<Asker> {
    let weight: Int
    let method: String
    /// The fields of the request, as members of a JSON object, in which `#` stands for the
    /// request's number; nil if there is nothing to ask for at the moment.
    let fields: (Asker) -> String?

    init(_ weight: Int, _ method: String, _ fields: @escaping (Asker) -> String? = { _ in "" }) {
        (self.weight, self.method, self.fields) = (weight, method, fields)
    }
}

/// A request with a number, as the phone that sent it remembers it.
struct AskedRequest {
    let number: Int
    let method: String
    let fields: JSONValue
    let message: Message
    /// When it was first sent.
    let at: Duration
}

/// Filters and topics for a client that tries what is not allowed.
struct Targets {
    var filters: [String] = []
    var topics: [String] = []
}
