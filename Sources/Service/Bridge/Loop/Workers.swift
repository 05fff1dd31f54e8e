import Directory
import MQTT

/// The threads for work that takes too long for a turn.
struct Workers {
    private let passwords: PasswordWorker
    private let deliveries: DeliveryWorker
    private let dispatch: DispatchWorker
    private let cohorts: CohortWorker
    /// Nil if no directory is configured.
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

    /// Submits work requested by committed turns.
    func submitWork(of engine: Engine) {
        passwords.submit(engine.takePasswordWork())
        deliveries.submit(engine.takeDeliveries())
        dispatch.submit(engine.takeDispatchCalls())
        cohorts.submit(engine.takeCohortWork())
        directory?.submit(engine.takeDirectoryWork())
    }

    /// Returns the outcomes; of cohorts only one per turn, as many follow one another.
    func takeOutcomes() -> WorkOutcomes {
        WorkOutcomes(
            passwords: passwords.takeOutcomes(), deliveries: deliveries.takeOutcomes(),
            dispatch: dispatch.takeOutcomes(), cohorts: cohorts.takeOutcomes(atMost: 1),
            directory: directory?.takeOutcomes() ?? [])
    }

    /// Returns the results of directory probes, and probes again if it is time.
    mutating func probeDirectory() -> [DirectoryProbe.Answer] {
        let answers = directoryProbe?.takeAnswers() ?? []
        directoryProbe?.ask(at: .now)
        return answers
    }
}
