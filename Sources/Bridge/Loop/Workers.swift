import Directory
import MQTT

/// The threads that do what takes too long for a turn.
struct Workers {
    private let passwords: PasswordWorker
    private let deliveries: DeliveryWorker
    private let dispatch: DispatchWorker
    private let cohorts: CohortWorker
    /// Nil: there is none to ask.
    private let directory: DirectoryWorker?
    private var directoryProbe: DirectoryProbe?

    init(_ settings: BridgeSettings, database: String, waker: Waker) {
        passwords = PasswordWorker(waker: waker)
        deliveries = DeliveryWorker(settings.channels, waker: waker)
        dispatch = DispatchWorker(settings.channels, waker: waker)
        cohorts = CohortWorker(database: database, waker: waker)
        directory = settings.directory.map { DirectoryWorker($0.settings, waker: waker) }
        directoryProbe = settings.directory.map {
            let client = DirectoryClient($0.settings)
            return DirectoryProbe(waker: waker) { () throws(DirectoryError) in try client.reach() }
        }
    }

    /// Has done what turns that are on disk have asked for.
    func submitWork(of engine: Engine) {
        passwords.submit(engine.takePasswordWork())
        deliveries.submit(engine.takeDeliveries())
        dispatch.submit(engine.takeDispatchCalls())
        cohorts.submit(engine.takeCohortWork())
        directory?.submit(engine.takeDirectoryWork())
    }

    /// Of cohorts, each turn takes one: many follow one another.
    func takeOutcomes() -> WorkOutcomes {
        WorkOutcomes(
            passwords: passwords.takeOutcomes(), deliveries: deliveries.takeOutcomes(),
            dispatch: dispatch.takeOutcomes(), cohorts: cohorts.takeOutcomes(atMost: 1),
            directory: directory?.takeOutcomes() ?? [])
    }

    /// Returns what the directory has answered to whether it is there, and asks again if it is time.
    mutating func probeDirectory() -> [DirectoryProbe.Answer] {
        let answers = directoryProbe?.takeAnswers() ?? []
        directoryProbe?.ask(at: .now)
        return answers
    }
}
