import Foundation
import LocalBroker
import Logging
import ServiceLifecycle
import Synchronization
import Web

/// Keeps the certificate of `--for-phones` valid for as long as the program runs: renews it before
/// it expires, and loads one that someone else has put in its place.
final class CertificateWatch: Service {
    private let phones: PhoneAccess
    private let broker: LocalBroker
    private let logger: Logger
    private let reloadPage: @Sendable () -> Void
    /// The files as they are in use.
    private let inUse: Mutex<[Data?]>

    private static let interval = Duration.seconds(86_400)

    /// - Parameter reloadPage: makes the page reload the files.
    init(
        _ phones: PhoneAccess, _ broker: LocalBroker, _ logger: Logger,
        reloadPage: @escaping @Sendable () -> Void
    ) {
        self.phones = phones
        self.broker = broker
        self.logger = logger
        self.reloadPage = reloadPage
        inUse = Mutex(phones.certificateFiles)
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await Task.sleep(for: CertificateWatch.interval) } catch { return }
                if self.look() == .new { self.broker.renew() }
            }
        }
    }

    enum Outcome {
        case same, new
        /// With these files Mosquitto would not start.
        case unusable
    }

    /// Renews the certificate if it is due, and makes the page use the current files.
    func look() -> Outcome {
        do {
            try phones.makeCertificate(logger)
        } catch {
            logger.error("\(error)")
        }
        let files = phones.certificateFiles
        guard inUse.withLock({ $0 != files }) else { return .same }
        do {
            try Web.check(phones.files)
        } catch {
            logger.error("The page keeps its current certificate. \(error)")
            return .unusable
        }
        reloadPage()
        inUse.withLock { $0 = files }
        logger.notice("A new certificate is in use.")
        return .new
    }
}
