internal import Directory
internal import MQTT

/// Checks every minute whether the directory answers: the operator is notified of an outage before
/// anyone logs in.
struct DirectoryProbe {
    /// Nil while the directory answers.
    typealias Answer = DirectoryError?

    private let worker: SerialWorker<Void, Answer>
    private var askedAt: ContinuousClock.Instant?
    private var isAsked = false

    static let pause = Duration.seconds(60)

    init(waker: Waker, ask: @escaping @Sendable () throws(DirectoryError) -> Void) {
        worker = SerialWorker("directory probe", givesWay: true, waker: waker) {
            do throws(DirectoryError) {
                try ask()
                return [nil]
            } catch {
                return [error]
            }
        }
    }

    /// Probes the directory if it is time and the last probe is finished.
    mutating func ask(at now: ContinuousClock.Instant) {
        guard !isAsked, askedAt.map({ now - $0 >= DirectoryProbe.pause }) ?? true else { return }
        (askedAt, isAsked) = (now, true)
        worker.submit([()])
    }

    mutating func takeAnswers() -> [Answer] {
        let answers = worker.takeOutcomes()
        if !answers.isEmpty { isAsked = false }
        return answers
    }
}
