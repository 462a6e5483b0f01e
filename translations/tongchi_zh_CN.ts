<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Error</name>
    <message>
        <source>The address of Prometheus is not an http or https URL.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it whole, for instance https://prometheus.example:9090.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No context was found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a kubeconfig with --kubeconfig, or use --embedded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No current context is set; there are: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name one with --context, give a kubeconfig with --kubeconfig, or use --embedded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no context named “%1”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the names in the kubeconfig, then choose again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server cannot be reached.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server did not answer in time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No secure connection could be made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server did not accept the credential.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This user may not do that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It does not exist on the server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Somebody else changed it meanwhile.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server no longer has that version.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server asks for fewer requests.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The request or the input is not valid.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server failed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer cannot be understood.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is not supported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A file on this machine cannot be read or written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A program has to be run, and you have not agreed yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the address, the network and the proxy; it is tried again by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is tried again by itself; if it lasts, look at the server&apos;s load.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the right CA file or server name in Connections.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sign in again or choose another user in Connections.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask whoever runs the cluster for the permission.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refresh, then look at the name and the address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the new state, then decide again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The list is read afresh by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is tried again after the pause that the server named.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the input and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is tried again by itself; if it lasts, look at the server&apos;s log.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check that the address is that of the right service.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use another way or a newer version.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the path, the permissions and the free space.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the command in Connections and agree or refuse.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2</source>
        <extracomment>%1 is a file, a server or an object, %2 the sentence about it.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is not a filter key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys are vendor, model, region, node, label, util, mem, temp, power, health, workload, age and others; see the suggestions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This token is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type a word, or a key and a value such as region:beijing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” has no value yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type a value behind it, or take one of the suggestions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“%1” is not a number that %2 can be compared with.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write for instance util&lt;20, memfree&gt;=40GB or age&gt;90s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has no order, so &lt; and &gt; mean nothing for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a colon between key and value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file starts like UTF-16 but is not valid UTF-16.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the file as UTF-8 and load it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The text is neither UTF-8 nor UTF-16: byte %1 fits neither.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The proxy given by %1 is not an address that can be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it as http://host:port or socks5://host:port; special characters in a password as %40 and the like.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server sends us on to %1, which was not contacted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>If that is the right server, put its address into the settings; credentials never follow a redirect to another one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server sends the request round in circles.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the server address and its path.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not accept the credential.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sign in again, or check the user of this context.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not allow this.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask the cluster&apos;s administrator for the permission.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not know this address or object.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It may have been deleted, or the service is not installed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not support this request (status %2).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server may be older than this console expects.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 gave up waiting for the request.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Somebody else changed this on %1 meanwhile.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the present state, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 no longer keeps this version.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The list is read again by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is asked too often.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is tried again after the pause that the server asked for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 reports a fault of its own (status %2).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is tried again; if it stays so, look at the server&apos;s log.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 refused the request as wrong (status %2).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the details and check what was entered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 gave an unexpected answer (status %2).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the server address: a sign-in page or a proxy may answer there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The client certificate cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give a certificate in PEM form (it begins with BEGIN CERTIFICATE).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The client key is protected by a passphrase, which is not supported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the key without a passphrase, in a file that only you can read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The client key cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give an RSA, EC or Ed25519 key in PEM form.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The client key does not belong to the client certificate.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the key that the certificate was made for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The certificate authority of this connection cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The certificate of %1 was issued by &quot;%2&quot;, which is not trusted here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put the right certificate authority into the kubeconfig or the settings, or ask whether this really is your server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The certificate of %1 is not for &quot;%2&quot; but for: %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use one of these names in the server address, or set tls-server-name to one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The certificate of %1 expired on %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Renew it on the server, and check the clock of this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The certificate of %1 is valid only from %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the clock of this computer and that of the server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The certificate of %1 is not accepted: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Have the server&apos;s certificate checked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 refused the client certificate.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 wants a client certificate, and none is set.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put a valid client certificate and its key into the kubeconfig or the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 does not speak TLS.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the port and whether the address should begin with http://.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No secure connection to %1 could be agreed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the details; server and console must share TLS 1.2 or newer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the proxy setting; it comes from %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The proxy %1 cannot be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no host of the name %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the name, the DNS and whether a VPN is needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing answers at %1: the connection was refused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check whether the server runs and the port is right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No connection to %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the network; the connection is tried again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The proxy %1 wants a user name and a password.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The proxy %1 refused the user name or password.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The proxy %1 does not connect to this server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A proxy that is itself reached over %1 cannot be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give an http or socks5 proxy; the setting comes from %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No connection to %1 within %2 s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the address, the network and whether a VPN is needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 gave no answer within %2 s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server or the way to it is overloaded; try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing more came from %1 for %2 s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection seems dead and is opened again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 closed the connection without an answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again; if it stays so, look at the server&apos;s log.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer of %1 was cut short.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again; if it stays so, a proxy on the way may limit answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer of %1 is not understandable HTTP.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the address and the port: another kind of server may listen there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer of %1 is larger than %2 bytes and was not read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask for less at once, or check what answers at this address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This request cannot be sent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the server address in the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No credential was given for %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sign in again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The cluster is not connected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait until it is live again, then repeat the action.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The list of accelerators cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Install the program again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You have no right to %1 %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You have no right to %1 %2 in the namespace %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask the cluster&apos;s administrator for the verb %1 on %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server&apos;s answer cannot be understood.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server&apos;s answer is no %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the server address: something else may answer there, such as a proxy&apos;s login page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask the cluster&apos;s administrator for the right, then connect again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Others own fields of the object: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave these fields to their owner, or take them over on purpose.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The object was changed by somebody else in the meantime.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at its present state and decide again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server answered: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer was HTTP %1, and it does not come from the API server itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something in front of the server refuses the request; ask whoever runs it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Renew the credential that the kubeconfig names.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server refuses the change: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is tried again by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server does not know aggregated discovery.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its groups are asked one by one instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kubeconfig wants to run a program to log in: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allow it once if you trust the file %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the plug-in in a terminal and look at what it prints; update it if needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The credential plug-in %1 printed nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the credential plug-in %1 printed is not JSON.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the credential plug-in %1 printed is not an ExecCredential.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The credential plug-in %1 was asked for %2 and answered in %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the version it answers in as apiVersion in the kubeconfig, or update the plug-in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The credential plug-in %1 answered without a status.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The credential plug-in %1 answered with a value of the wrong kind.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The credential plug-in %1 answered with a certificate or a key alone; both are needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The credential plug-in %1 answered without a token or certificate.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The credential plug-in %1 answered with an expiry that is no point in time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The credential plug-in %1 was not found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Install it, or write its full path into the kubeconfig.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The credential plug-in %1 was not found. The kubeconfig says: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The credential plug-in %1 cannot be executed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the file the right to be executed (chmod +x).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The path of the credential plug-in %1 is not valid UTF-8.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename the folder or the file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The credential plug-in %1 cannot be started.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start it in a terminal and look at what is wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The credential plug-in %1 gave no answer within %2 seconds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The credential plug-in %1 gave no answer within %2 seconds: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run it in a terminal once; it may wait for a login.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The credential plug-in %1 printed more than %2 bytes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check that the command is the right one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The credential plug-in %1 crashed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The credential plug-in %1 crashed: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run it in a terminal and look at what is wrong.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The credential plug-in %1 failed with code %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The credential plug-in %1 failed with code %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run it in a terminal and log in, then reconnect.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server&apos;s list could not be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is asked for again; if this stays, look for a proxy that changes answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The namespace %1 of %2 is not a possible name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use lower-case letters, digits and hyphens, at most 63.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the file at this place and load it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The field %1 is not a list (line %2).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An entry of %1 has no name (line %2).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The field %1 of %2 has a value of the wrong kind (line %3).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The cluster %1 names a certificate authority and insecure-skip-tls-verify at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove insecure-skip-tls-verify, so that the server is checked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The proxy-url of the cluster %1 is not a usable address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it like http://proxy.example:8080; https and socks5 are possible as well.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is not a kubeconfig.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a file that holds clusters, users and contexts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file holds several documents; only the first one is read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put the others into files of their own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The field %1 of %2 stands there twice, and nothing says which one is meant.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove one of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The field %1 of %2 holds PEM text where base64 of it belongs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Encode it with base64 -w0, or name the file in the field without -data.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The field %1 of %2 is not base64: wrong character at position %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the value again from where it came.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The field %1 of %2 is not base64: it is cut off after %3 characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 holds no certificate in PEM form.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has to hold text that begins with -----BEGIN CERTIFICATE-----.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 is a private key that needs a password.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Store the key without a password, or use a credential plug-in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 holds no private key in PEM form.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has to hold text that begins with -----BEGIN PRIVATE KEY-----.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None of the files that KUBECONFIG names exists: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct KUBECONFIG, or choose a file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name %1 stands in %2 and in %3 with different values; the first file counts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename one of them if both are needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename or remove one of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The context %1 names no cluster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the field cluster to the context.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The context %1 names the cluster %2, which is not there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the cluster, or load the file that holds it as well.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The cluster name %1 stands more than once in %2; none of them is picked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The context %1 names the user %2, which is not there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the user, or load the file that holds it as well.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The user name %1 stands more than once in %2; none of them is picked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server is reached over http, so the credential is not sent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use an https address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file switches the check of the server&apos;s certificate off (insecure-skip-tls-verify).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name the certificate authority instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The context name %1 stands more than once in %2; none of them is picked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The current context %1 is not there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pick one of the others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file %1 does not exist.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put the file there, or correct its path.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no permission to read the file %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give your account the right to read it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A name in the path %1 is longer than 255 bytes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the path.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file %1 cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the file and the disk it is on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not a regular file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name a file; folders, pipes and devices cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file %1 is larger than %2 bytes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check that it is the file you mean.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The user %1 names as-uid, as-groups or as-user-extra without as.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the field as with the name to act as.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A name that the user %1 acts as holds a line break or a control character.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the fields that begin with as.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The user %1 has a client-key but no client-certificate.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The user %1 has a client-certificate but no client-key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both are needed; add the missing one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An env entry of the user %1 has no usable name or value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each entry needs a name and a value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The credential plug-in of the user %1 names no command.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the field command below exec.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The credential plug-in of the user %1 in %2 names no apiVersion.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The credential plug-in of the user %1 in %2 asks for %3, which no longer exists.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write client.authentication.k8s.io/v1beta1 or client.authentication.k8s.io/v1 as its apiVersion, whichever the plug-in answers in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The credential plug-in of the user %1 always asks questions in a terminal, which is not there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use a token for this cluster, or set interactiveMode to IfAvailable if the plug-in can do without.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The interactiveMode of the credential plug-in of the user %1 is missing or unknown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write Never or IfAvailable.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The token of the user %1 holds a line break or a control character.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The user %1 has a token and a user name with password at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove one of them; nothing says which one is meant.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The user name of %1 holds a colon or a control character.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Such a name cannot be sent; use another credential.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The user %1 uses the auth-provider %2, which is not supported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let your login tool write an exec entry instead, for instance kubelogin for oidc.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is not valid YAML.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the file and load it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is not valid YAML: line %1, column %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file nests more than %3 levels deep: line %1, column %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No kubeconfig does that; check where the file comes from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file holds more than %3 values: line %1, column %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An alias in the file contains itself: line %1, column %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What answers there is no Kubernetes API server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No Prometheus was found in the cluster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No Prometheus in the cluster answers. Tried: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the address of your Prometheus in the connection&apos;s settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The node %1 is no longer the one that was chosen: it was removed and added again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Somebody else changed the node %1 in the meantime, so nothing was done to it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer to the watch is not a stream of events.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look for a proxy or a login page between here and the server.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server gives the same page again and again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server ended the watch at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server was silent for too long; the link is renewed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server keeps forgetting the version that it just gave.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server address %1 is not a usable URL.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it like https://api.example:6443.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The IPv6 address in %1 needs brackets.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write %2 or %3, whichever is meant.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it like %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The port in the server address %1 is not a number from 1 to 65535.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The cluster has no server address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the field server, like https://api.example:6443.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server address %1 has no scheme.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it with https:// or http:// in front, like %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server address %1 is neither https nor http.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server address %1 holds a user name or a password.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move them to the fields username and password of the user.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server address %1 names a network zone (the part after the percent sign), which is not supported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the server&apos;s global address or its name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in the server address is not an IPv6 address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Brackets are for IPv6 addresses, like https://[2001:db8::10]:6443.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What answers there is no Prometheus.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The token file %1 is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The token file %1 holds more than one line, or control characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Log in again, so that the file is written anew.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server refuses the user name and password of %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server refuses the token of %1: it is wrong or has expired.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Log in again with your cluster&apos;s tool, then reconnect.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server refuses the token in %1: it is wrong or has expired.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prometheus refused the query: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the query and at the limits of this Prometheus.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer is not one of Prometheus.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the address of Prometheus, and whether a proxy or a login page answers in its place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The API server could not reach Prometheus: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check that the service has a ready pod and that you may use services/proxy in its namespace.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prometheus answered with HTTP status %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The table of metrics cannot be read: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correct the file, or remove it to use the built-in table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The fault plan cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the file&apos;s name and that you may read it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The fault plan is not a JSON list of faults.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it as [{&quot;at_seconds&quot;: 5, &quot;fault&quot;: &quot;restart&quot;}].</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The embedded pool cannot listen on port %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another port, or leave it out to take any free one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The embedded pool found no free port.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name a port that is free on 127.0.0.1 and ::1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kubeconfig of the embedded pool cannot be written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a folder that exists and that you may write to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The embedded pool has no clusters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask for at least one cluster and one card.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The embedded pool could not make its certificate.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check that OpenSSL&apos;s random generator and P-256 work here.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Formatting</name>
    <message>
        <source>%1 s</source>
        <comment>age in a narrow column, seconds</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 min</source>
        <comment>age in a narrow column, minutes</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 h</source>
        <comment>age in a narrow column, hours</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 d</source>
        <comment>age in a narrow column, days</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <comment>duration in a sentence</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <comment>duration in a sentence</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 min</source>
        <comment>duration in a sentence</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <comment>duration in a sentence</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 d</source>
        <comment>duration in a sentence</comment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Inventory</name>
    <message>
        <source>Card</source>
        <extracomment>Column of the card table: model of the card.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Node / slot</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Region</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label</source>
        <extracomment>Column: business label.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Utilisation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Temp</source>
        <extracomment>Column, narrow: temperature.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Power</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Health</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Age</source>
        <extracomment>Column, narrow: age of the newest sample.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Variant</source>
        <extracomment>Column: variant of the model, such as 910B3.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vendor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>UUID</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shares</source>
        <extracomment>Column: how many tasks may share the card.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slices</source>
        <extracomment>Column: MIG, vNPU or sMLU slices of the card.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NUMA</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Driver</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not reported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sample has ever arrived for this card.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sampled %1 ago.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last known: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written, not confirmed by the cluster yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %2, %3 old</source>
        <extracomment>For a screen reader: column, value, age. &quot;Utilisation 62%, 2 s old&quot;</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Offline</source>
        <extracomment>Health of a card: its node is not ready or silent.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fault</source>
        <extracomment>Health of a card: a source calls it unhealthy.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Out of service</source>
        <extracomment>Health of a card: taken out of service by hand.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hot</source>
        <extracomment>Health of a card: temperature close to throttling.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cordoned</source>
        <extracomment>Health of a card: its node takes no new work.
----------
State of a node.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tainted</source>
        <extracomment>Health of a card: a taint keeps work off its node.
----------
State of a node: a taint keeps work off it.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Healthy</source>
        <extracomment>Health of a card.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not reported</source>
        <extracomment>Health of a card: no source says anything.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle</source>
        <extracomment>Business label: nothing runs on the card.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inference</source>
        <extracomment>Business label.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training</source>
        <extracomment>Business label.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mixed</source>
        <extracomment>Business label: inference and training on one card.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ascend</source>
        <extracomment>Vendor of accelerator cards (Huawei Ascend).</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cambricon</source>
        <extracomment>Vendor of accelerator cards.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Usable</source>
        <extracomment>State of a node: new work may be placed on it.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not ready</source>
        <extracomment>State of a node: Kubernetes condition Ready is False.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No contact</source>
        <extracomment>State of a node: Kubernetes condition Ready is Unknown.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another node reports a card with the same UUID.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It runs another kind of work than its node is kept for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pods hold more cards of this node than it offers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The device plugin of this node offers fewer cards than the node has.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The HAMi registration is left over: its device plugin no longer answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A HAMi registration entry could not be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only an over-subscribed memory figure is known, so its own memory is not shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two exporters report this card; the freshest value is shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sources name different models.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sources name different memory sizes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kubernetes lends this card while another source calls it faulty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A taint stands on this device.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This card was taken out of service by hand.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of cards of this node could not be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The driver has reported an error since it started; it may be long past.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The clock of its metrics source differs from this machine&apos;s by 30 s or more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Beijing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ulanqab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guiyang</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shenzhen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reported model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Own memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Health reason</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resource</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interconnect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Node state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Node is kept for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kubelet</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n card(s)</source>
        <comment>on one node</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n withdrawn</source>
        <comment>cards that the node does not offer</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n held</source>
        <comment>cards held by pods</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n free</source>
        <comment>cards that may be taken</comment>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Business label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not known</source>
        <extracomment>Facet value: no source says what runs on the card.</extracomment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PaneNotice</name>
    <message>
        <source>You may not list nodes in %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An administrator can grant it with the rule that the button copies.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the RBAC rule</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The Kubernetes API of %1 does not answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 clusters did not answer. The %3 cards of %4 are shown as last seen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 clusters did not answer. The cards of %3 are missing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Retry in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prometheus of %1 has been silent for %2. Values are from %3; actions still work.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prometheus of %1 has not answered. Cards are shown without measured values; actions still work.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading %1 nodes, %2 done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading nodes, %1 done</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SelectionBar</name>
    <message>
        <source>Remove the label</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SummaryFigures</name>
    <message>
        <source>%1 of %2 cards reported</source>
        <extracomment>How many cards a mean or a sum rests on.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cards available</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Neither offline nor faulty. May take new work: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean utilisation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Power draw</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Idle now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No pod holds the card. Known for %1 of %2 cards</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running workloads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fault / stale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Faulty: %1. Data older than 90 s: %2. Offline: %3. Hot: %4</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tongchi::ActionSheet</name>
    <message numerus="yes">
        <source>Undo on %n node(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Cordon %n node(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Uncordon %n node(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove the business label of %n node(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Label %n node(s) %1</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Label %n node(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 cards chosen</source>
        <extracomment>One node of an action: how many cards it carries and how many of them were chosen.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>asking the server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>is already so</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>refused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asking the server what would change.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing would change.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n card(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2; you chose %3</source>
        <extracomment>Cordon and labels act on whole nodes: &quot;2 nodes, 16 cards; you chose 12&quot;.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing to the cluster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Part of the change was not made. The reasons are below.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No new work will be placed on these nodes; what runs on them goes on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New work may be placed on these nodes again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The label belongs to the node and says what it is kept for; what runs on its cards does not change.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>and %n more node(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What will change</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tongchi::CardDrawer</name>
    <message>
        <source>Card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>History</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Card views</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Properties</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slices and shares</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pods</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Same node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>data age %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Uncordon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cordon</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>No pod holds this card.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Slot %1: %2</source>
        <extracomment>Another card of the same node: slot and utilisation.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Utilisation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hot above %1 °C</source>
        <extracomment>Dashed line in the temperature plot: above it a card is called hot.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Temperature is not exported for this card.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Power</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Power is not exported for this card.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No history yet: no sample has arrived for this card.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last sample %1, %2 ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Temperature and power are recorded since %1.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tongchi::FacetRowButton</name>
    <message>
        <source>%1, %2 cards</source>
        <extracomment>For a screen reader: value of a facet and how many cards it would leave.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, excluded</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tongchi::FilterField</name>
    <message>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Suggestions</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tongchi::HistoryChart</name>
    <message>
        <source>%1 from %2 to %3 %4</source>
        <extracomment>For a screen reader: quantity, least and greatest value with their unit.</extracomment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tongchi::OrderPill</name>
    <message numerus="yes">
        <source>%n row(s) would move</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Sort now</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tongchi::ScrimDialog</name>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tongchi::SelectAllBox</name>
    <message>
        <source>Select all rows</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tongchi::SelectionBar</name>
    <message numerus="yes">
        <source>%n selected</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n node(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Cordon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Uncordon</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Label</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No new work is placed on these nodes; what runs goes on</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tongchi::Toast</name>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
