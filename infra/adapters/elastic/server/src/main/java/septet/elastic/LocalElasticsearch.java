package septet.elastic;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.elasticsearch.action.support.WriteRequest.RefreshPolicy;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginsLoader;

/** Starts one node on loopback; the stock main class needs a module that is not published. */
public final class LocalElasticsearch {
    private LocalElasticsearch() {}

    /** Arguments: home directory, data directory, HTTP port, and "once" to end after a first search. */
    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]).toAbsolutePath();
        Path data = Path.of(arguments[1]).toAbsolutePath();
        System.setProperty("es.path.home", home.toString());
        System.setProperty("es.path.conf", home.resolve("config").toString());
        // Before any logger is made.
        LogConfigurator.registerErrorListener();
        Environment environment = new Environment(settings(home, data, arguments[2]), home.resolve("config"));
        LogConfigurator.configure(environment, true);
        Node node = new Node(environment, modulesOf(home));
        if (arguments.length > 3) {
            searchOnce(node);
        } else {
            run(node);
        }
    }

    private static Settings settings(Path home, Path data, String port) {
        return Settings.builder()
                .put("path.home", home)
                // As a list, or a comma in the path would make two of it.
                .putList("path.data", data.resolve("data").toString())
                .put("path.logs", data.resolve("logs"))
                .put("cluster.name", "septet")
                .put("node.name", "local")
                .put("discovery.type", "single-node")
                .put("network.host", "127.0.0.1")
                .put("http.port", port)
                // Nobody else joins: any free port will do.
                .put("transport.port", "0")
                // A developer's disk is often nearly full, which must not turn every index read-only.
                .put("cluster.routing.allocation.disk.watermark.low", "1gb")
                .put("cluster.routing.allocation.disk.watermark.high", "500mb")
                .put("cluster.routing.allocation.disk.watermark.flood_stage", "250mb")
                // How soon room that was made is noticed; the least that is allowed.
                .put("cluster.info.update.interval", "10s")
                .build();
    }

    private static PluginsLoader modulesOf(Path home) {
        return PluginsLoader.createPluginsLoader(
                PluginsLoader.loadModulesBundles(home.resolve("modules")),
                PluginsLoader.loadPluginsBundles(home.resolve("plugins")),
                Map.of(),
                false);
    }

    /** Loads the classes of a start and of a first index, so that they can be archived. */
    private static void searchOnce(Node node) throws Exception {
        node.start();
        String index = "first";
        node.client().admin().indices().prepareCreate(index).get();
        node.client().prepareIndex(index).setSource("name", "first").setRefreshPolicy(RefreshPolicy.IMMEDIATE).get();
        node.client().prepareSearch(index).get().decRef();
        node.close();
        System.exit(0);
    }

    private static void run(Node node) throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                node.close();
            } catch (Exception failure) {
                failure.printStackTrace();
            }
            closed.countDown();
        }));
        node.start();
        // The node's own threads are daemons.
        closed.await();
    }
}
